"""Critical positions: what the solver says of every action, beside plain minimax."""

from functools import cache

import pytest

from kakomi import catalog
from kakomi.core import Game, Position
from kakomi.kernel import random_state
from kakomi.solve import margin, prove
from kakomi.study.blunders import examined
from kakomi.study.tournament.opening import random_walk

BUDGET = 1_000_000


def line_of(game: Game, seed: int) -> list[Position]:
    return list(random_walk(game.start(), random_state(seed)))


@cache
def minimax(position: Position, seat: int) -> int:
    """The result for a seat, without any cleverness."""
    if position.is_over:
        points = margin(position, seat)
        return (points > 0) - (points < 0)
    results = [minimax(position.play_action(int(action)), seat) for action in position.legal_actions()]
    return max(results) if position.to_move == seat else min(results)


@pytest.mark.parametrize(
    ("name", "options", "most"), [("rin", {"size": 4}, 6), ("lin", {"size": 5, "line": 3}, 5)]
)
def test_results_are_those_of_minimax(name: str, options: dict[str, int], most: int) -> None:
    game = catalog.game(name, **options)
    count = 0
    for seed in range(12):
        line = line_of(game, seed)
        found = examined(line, most, BUDGET)
        assert found.positions == most and not found.is_cut_short
        known = {critical.left: critical.results for critical in found.critical}
        for left in range(1, most + 1):
            position = line[-1 - left]
            wanted = {
                action: minimax(position.play_action(action), position.to_move)
                for action in map(int, position.legal_actions())
            }
            if len(set(wanted.values())) > 1:
                count += 1
                assert known.pop(left) == wanted
        assert not known
    assert count >= 5


def test_a_critical_position_tells_what_is_thrown_away() -> None:
    game = catalog.game("rin", size=4)
    found = [one for seed in range(12) for one in examined(line_of(game, seed), 6, BUDGET).critical]
    for critical in found:
        best = max(critical.results.values())
        worse = [action for action, result in critical.results.items() if result < best]
        assert worse and [action for action in critical.results if critical.throws_away(action)] == worse
        assert critical.chance == len(worse) / len(critical.results)


def test_a_spent_budget_leaves_what_was_found_before() -> None:
    line = line_of(catalog.game("rin", size=6), 1)
    whole, part = examined(line, 10, 10 * BUDGET), examined(line, 10, 2_000)
    assert not whole.is_cut_short and whole.positions == 10
    assert part.is_cut_short and 0 < part.positions < 10
    nearest = [one.results for one in whole.critical if one.left <= part.positions]
    assert [one.results for one in part.critical] == nearest


def test_a_game_shorter_than_wanted_is_looked_at_whole() -> None:
    line = line_of(catalog.game("rive", size=2), 1)
    assert examined(line, 1000, BUDGET).positions == len(line) - 1
    assert examined(line[-1:], 5, BUDGET).positions == 0


def test_it_can_be_stopped_at_any_time() -> None:
    line = line_of(catalog.game("rin", size=4), 1)
    whole = examined(line, 6, BUDGET)
    for calls in range(1, 12, 2):
        told: list[float] = []

        def goes_on(part: float, told: list[float] = told, calls: int = calls) -> bool:
            told.append(part)
            return len(told) < calls

        found = examined(line, 6, BUDGET, goes_on)
        assert len(told) == calls and told == sorted(told) and 0 <= told[0] <= told[-1] < 1
        assert found.positions < 6 and found.is_cut_short
        assert found.critical == whole.critical[: len(found.critical)]
    assert examined(line, 3, BUDGET, lambda part: False).positions == 0


def test_a_stop_is_heard_amid_a_long_proof() -> None:
    """The position alone would take the solver minutes."""
    game = catalog.game("ren", size=6)
    calls = iter(range(3))
    stopped = examined([game.start(), game.start()], 1, 10**12, lambda part: next(calls, None) is not None)
    assert stopped.is_cut_short and stopped.positions == 0


def test_a_position_alone() -> None:
    line = line_of(catalog.game("rin", size=4), 3)
    whole = examined(line, 6, BUDGET)
    for critical in whole.critical:
        proof = prove(critical.position, BUDGET)
        assert proof.results == critical.results and proof.is_settled
        assert proof.result == max(critical.results.values())
