"""Resetting a used state, or recomputing its helper fields, leaves nothing of its former contents.

Environments and searches reuse states. A new state is all zeros, which hides fields that aren't set.
"""

import random
from typing import Any

import pytest

import kakomi
from kakomi import Game, Position
from kakomi.core import steps

CASES = [
    ("lin", {"size": 5}),
    ("ren", {"size": 5, "lead": 3}),
    ("rin", {"size": 6}),
    ("rings", {"size": 2, "players": 3}),
    ("rive", {"size": 3}),
]
SEEDS = range(3)


def played(game: Game, seed: int, most_plies: int) -> Position:
    position, chance = game.start(), random.Random(seed)
    while not position.is_over and position.ply < most_plies:
        position = position.play_action(chance.choice(position.legal_actions()))
    return position


def assert_alike(one: Position, other: Position, seed: int) -> None:
    """Check that both are equal now, and after each of the same actions to the end."""
    chance = random.Random(seed)
    while True:
        assert one.key() == other.key()
        assert one.is_over == other.is_over
        assert one.to_move == other.to_move
        assert one.scores() == other.scores()
        assert one.overlays() == other.overlays()
        legal = one.legal_actions()
        assert legal == other.legal_actions()
        if not legal:
            return
        action = chance.choice(legal)
        one, other = one.play_action(action), other.play_action(action)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "options"), CASES)
def test_a_game_begins_alike_on_a_state_of_another(name: str, options: dict[str, Any], seed: int) -> None:
    game = kakomi.game(name, **options)
    states = played(game, seed, 1000).states()
    begun = Position(game, states, steps.begin(game.board, states))
    assert_alike(begun, game.start(), seed)


@pytest.mark.parametrize("left_over", [1, 2])
@pytest.mark.parametrize(("name", "options"), CASES)
def test_a_game_begins_alike_whatever_the_state_held(
    name: str, options: dict[str, Any], left_over: int
) -> None:
    game = kakomi.game(name, **options)
    states = game.start().states()
    for field in game.description.rules.STATE.names:
        states[field] = left_over
    begun = Position(game, states, steps.begin(game.board, states))
    assert_alike(begun, game.start(), left_over)


@pytest.mark.parametrize("left_over", [1, 2])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "options"), CASES)
def test_helper_fields_are_worked_out_whatever_they_held(
    name: str, options: dict[str, Any], seed: int, left_over: int
) -> None:
    game = kakomi.game(name, **options)
    rules = game.description.rules
    position = played(game, seed, 12)
    states = position.states()
    for field in rules.STATE.names:
        if field not in rules.IDENTITY:
            states[field] = left_over
    used = Position(game, states, steps.rebuild(game.board, states, game.scratch))
    assert_alike(used, game.restored(position.states()), seed)
