"""Growing proofs about a position."""

import json
import random

import pytest

from kakomi import Position, catalog
from kakomi.solve import Proof, prove
from reference import make
from solve.brute_force import after, late_game, value
from solve.test_values import economical, reached

BUDGET = 2_000_000


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


@pytest.mark.parametrize(
    ("name", "options"),
    [("rin", {"size": 4}), ("rive", {"size": 2}), ("lin", {"size": 5, "line": 3}), ("rings", {"size": 2})],
)
def test_results_and_margins_are_those_of_brute_force(name: str, options: dict[str, int]) -> None:
    for seed in range(2):
        actions = late_game(name, options, seed, 200)
        slow = make(name, **options)
        for action in actions:
            slow.play(action)
        position = reached(catalog.game(name, **options), actions)
        with economical(name):
            proof = prove(position, BUDGET)
        texts = position.game.action_texts
        wanted = {action: value(after(slow, action), position.to_move) for action in slow.legal()}
        assert {texts[action]: result for action, result in proof.results.items()} == {
            action: sign(margin) for action, margin in wanted.items()
        }
        assert proof.is_settled and proof.margin == max(wanted.values())
        assert proof.result == sign(proof.margin)
        assert_line_keeps_the_margin(position, proof)


def assert_line_keeps_the_margin(position: Position, proof: Proof) -> None:
    for action in proof.line:
        position = position.play_action(action)
    scores = position.scores()
    assert position.is_over
    assert scores[proof.to_move] - scores[1 - proof.to_move] == proof.margin


def test_it_tells_what_is_new() -> None:
    position = catalog.game("rive", size=2).start()
    told: list[Proof] = []
    proof = prove(position, None, tell=told.append)
    assert [len(one.results) for one in told] == [0, *range(1, 8), 7, 7]
    assert told[0].result == proof.result == 1 and told[0].margin is None
    assert proof.margin == 1 and len(proof.line) == 7
    assert [one.positions for one in told] == sorted(one.positions for one in told)
    assert proof.results == told[-1].results and max(proof.results.values()) == 1


def test_a_budget_ends_it_with_what_there_is() -> None:
    position = catalog.game("rin", size=6).start()
    proof = prove(position, 1000)
    assert proof.result is None and not proof.results and proof.positions < 200_000
    assert proof.legal == 36 and not proof.is_settled


def test_it_can_be_stopped() -> None:
    calls = iter(range(2))
    proof = prove(catalog.game("rin", size=6).start(), None, lambda: next(calls, None) is not None)
    assert proof.result is None and proof.margin is None


def test_it_is_the_same_as_json() -> None:
    game = catalog.game("rive", size=2)
    position, rng = game.start(), random.Random(1)
    while not position.is_over:
        proof = prove(position, BUDGET)
        again = Proof.from_json(json.loads(json.dumps(proof.to_json(game))), game)
        assert again == Proof(**{**vars(proof), "seconds": again.seconds})
        position = position.play_action(rng.choice(list(map(int, position.legal_actions()))))


def test_what_can_not_be_proved_is_refused() -> None:
    with pytest.raises(ValueError, match="results are proved between two players, and this game has 3"):
        prove(catalog.game("rings", size=3, players=3).start(), 10)
    end = catalog.game("rin", size=4).start()
    while not end.is_over:
        end = end.play_action(int(end.legal_actions()[0]))
    with pytest.raises(ValueError, match="the game is over"):
        prove(end, 10)
