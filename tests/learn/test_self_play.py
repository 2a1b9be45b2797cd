"""Self-play games."""

import random
from dataclasses import replace

import pytest

import kakomi
from kakomi.core import Game
from kakomi.farm.piece import MOST_BYTES
from kakomi.learn.games import TrainingGame, packed, unpacked
from kakomi.learn.plan import Plan
from kakomi.learn.root_search import MOST_KEPT, WHOLE, targets_of
from kakomi.learn.self_play import PATTERNS, Assignment, SelfPlay, play_assignment, play_games
from kakomi.search.pattern_table import own_patterns
from kakomi.search.report import Line
from learn.played import QUICK, assignment, quick, searched

every_game = pytest.mark.parametrize("name", kakomi.names())


@every_game
def test_games_are_played_to_their_end_by_the_rules(name: str) -> None:
    for game in searched(name):
        position = game.game.start()
        for action in game.actions:
            if (policy := game.policies.get(position.ply)) is not None:
                assert set(policy) <= set(position.legal_actions()) and min(policy.values()) > 0
            position = position.play_action(action)
        assert position.is_over
        assert 0 < len(game.policies) < len(game.actions) and game.player == "search"


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
    assert unpacked(play_assignment(told), kakomi.game) == play_games(game, told)


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
    assert targets_of([Line(4, 3, (-1.0, 1.0), loses=True)]) == {}


def test_simulations_are_halved_only_where_somebody_advises() -> None:
    with pytest.raises(ValueError, match="the search has none"):
        Assignment("rive", {}, 1, 1, 0, SelfPlay())


def test_every_turn_is_learned_from_where_simulations_are_halved() -> None:
    game = quick("rive")
    file = str(own_patterns(game))
    how = replace(QUICK, halving=12, mix=0.5)
    told = replace(assignment(game), how=how, advisor=file, adviser=PATTERNS)
    games = play_games(game, told)
    assert games == play_games(game, told)
    learned = sum(len(each.policies) for each in games)
    assert learned > 0.8 * sum(len(each.actions) for each in games)


@every_game
def test_the_games_of_a_piece_are_small_enough_to_travel(name: str) -> None:
    """On the largest board, with random policies, which compress worst."""
    description, choose = kakomi.game(name).description, random.Random(1)
    [sizes] = [option.allowed for option in description.options if option.name == "size"]
    largest = {"size": max(sizes)}
    game = kakomi.game(name, **largest)
    games = []
    for _ in range(3):
        position = game.start()
        while not position.is_over and position.ply < game.geometry.points * 1.2:
            position = position.play_action(int(choose.choice(position.legal_actions())))
        actions = range(len(game.actions))
        policies = {
            ply: {action: choose.randrange(1, WHOLE) for action in choose.sample(actions, MOST_KEPT)}
            for ply in range(position.ply)
        }
        games.append(TrainingGame(game, tuple(position.played()), policies))
    assert len(packed(games)) / len(games) * Plan.piece_games < MOST_BYTES
