"""Games that the search plays to be learned from."""

from dataclasses import replace

import pytest

import kakomi
from kakomi.core import Game
from kakomi.learn.self_play import Assignment, play_assignment, play_games, targets_of
from kakomi.search.report import Line
from learn.played import QUICK, assignment, quick, searched

every_game = pytest.mark.parametrize("name", kakomi.names())


@every_game
def test_games_are_played_to_their_end_by_the_rules(name: str) -> None:
    for game in searched(name):
        position = game.game.start()
        for action in game.actions:
            if (visited := game.visits.get(position.ply)) is not None:
                assert set(visited) <= set(position.legal_actions()) and min(visited.values()) > 0
            position = position.play_action(action)
        assert position.is_over
        assert 0 < len(game.visits) < len(game.actions) and game.player == "search"


def test_games_that_rules_do_not_end_are_cut_off() -> None:
    """RULES N12."""
    game = quick("ren")
    short = Game(replace(game.description, max_game_length=lambda geometry, options: 7), dict(game.options))
    assert {len(each.actions) for each in play_games(short, assignment(game))} == {7}


def test_equal_assignments_give_equal_games_and_others_do_not() -> None:
    game = quick("rive")
    first = play_games(game, assignment(game))
    assert play_games(game, assignment(game)) == first
    alone = play_games(game, replace(assignment(game), how=replace(QUICK, lockstep=1)))
    assert sorted(each.actions for each in alone) == sorted(each.actions for each in first)
    other = play_games(game, assignment(game, batch=1))
    assert {each.actions for each in other}.isdisjoint(each.actions for each in first)


def test_an_assignment_travels_as_data() -> None:
    game = quick("ren")
    told: Assignment = assignment(game, games=2)
    assert play_assignment(told) == [each.to_json() for each in play_games(game, told)]


def test_what_loses_or_was_hardly_looked_at_is_not_learned() -> None:
    lines = [
        Line(5, 90, (0.2, -0.2)),
        Line(3, 9, (0.0, 0.0)),
        Line(4, 1, (0.0, 0.0)),
        Line(6, 40, (-1.0, 1.0), loses=True),
    ]
    assert targets_of(lines) == {5: 90, 3: 9}
    assert targets_of([Line(7, 0, (1.0, -1.0), wins=True), *lines]) == {7: 1}
    assert targets_of([Line(4, 1, (0.0, 0.0))]) == {4: 1}
