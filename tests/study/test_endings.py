"""The ends of games: the solver's value of every action compared with plain minimax, and losses by
mistakes."""

from functools import cache

import pytest

from kakomi import catalog, records
from kakomi.analysis.move import Ply, plies
from kakomi.core import Game, Position
from kakomi.kernel import random_state
from kakomi.solve import margin, prove
from kakomi.study.endings import examined, proved_ending
from kakomi.study.matches.games import random_walk

BUDGET = 1_000_000


def line_of(game: Game, seed: int) -> list[Position]:
    return list(random_walk(game.start(), random_state(seed)))


@cache
def minimax(position: Position, seat: int) -> int:
    """The result for a seat by plain minimax."""
    if position.is_over:
        points = margin(position, seat)
        return (points > 0) - (points < 0)
    results = [minimax(position.play_action(int(action)), seat) for action in position.legal_actions()]
    return max(results) if position.to_move == seat else min(results)


@pytest.mark.parametrize(("name", "options", "most"), [("rin", {"size": 4}, 6), ("rive", {"size": 2}, 5)])
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
    """Each position would take the solver minutes."""
    game = catalog.game("rin", size=10)
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


def plies_of(game: Game, seed: int, leave: int = 0) -> list[Ply]:
    """The plies of a random game without its last actions."""
    *_, end = random_walk(game.start(), random_state(seed))
    texts = [game.action_texts[action] for action in end.played()]
    return plies(records.recorded(game, texts[: len(texts) - leave]), game)


def test_what_was_thrown_away_is_told_with_what_keeps_it() -> None:
    game = catalog.game("rive", size=2)
    found = [proved_ending(plies_of(game, seed), BUDGET) for seed in range(20)]
    thrown = [choice for ending in found for choice in ending.thrown_away]
    assert thrown
    for ending in found:
        assert ending.proved[0].turn == 1, "a board of seven points is proved from the start"
    for choice in thrown:
        results = prove(choice.ply.before, BUDGET).results
        assert results is not None
        assert choice.played == results[choice.ply.action] < choice.best == max(results.values())
        assert set(choice.keeping) == {
            game.action_texts[action] for action, result in results.items() if result == choice.best
        }


def test_choices_come_in_the_order_played() -> None:
    ending = proved_ending(plies_of(catalog.game("rive", size=2), 4), BUDGET)
    moments = [choice.ply.moment for choice in ending.choices]
    assert len(moments) > 1 and moments == sorted(moments)
    told = ending.as_data()
    assert list(told) == [(choice.ply.turn, choice.ply.place) for choice in ending.choices]
    assert told[ending.choices[0].ply.turn, ending.choices[0].ply.place]["best"] == ending.choices[0].best


def test_a_game_that_was_given_up_is_proved_as_far_as_it_went() -> None:
    whole = plies_of(catalog.game("rin", size=4), 5)
    part = plies_of(catalog.game("rin", size=4), 5, leave=3)
    left_out = {(ply.turn, ply.place) for ply in whole[len(part) :]}
    of_whole = proved_ending(whole, BUDGET).as_data()
    of_part = proved_ending(part, BUDGET).as_data()
    assert of_part == {key: told for key, told in of_whole.items() if key not in left_out}


def test_without_actions_nothing_is_proved() -> None:
    ending = proved_ending([], BUDGET)
    assert not ending.proved and not ending.choices


def test_three_players_are_refused() -> None:
    with pytest.raises(ValueError, match="results are proved between two players, and this game has 3"):
        proved_ending(plies_of(catalog.game("rings", size=2, players=3), 1), BUDGET)
