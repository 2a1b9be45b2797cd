"""Fitting patterns to games: the fitted tables, and progress and errors."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import kakomi
from kakomi.core import Game
from learn.needs import needed
from learn.played import quick

torch = needed("torch")

from kakomi.learn.distillation import HELD_OUT, Fit, distil  # noqa: E402
from kakomi.learn.games import TrainingGame  # noqa: E402

GAMES = 200


def fitted(games: Sequence[TrainingGame]) -> Fit:
    steps = distil(games)
    parts = []
    while True:
        try:
            parts.append(next(steps))
        except StopIteration as end:
            assert parts == sorted(parts) and parts[-1] == 1.0
            fit: Fit = end.value
            return fit


def taught(game: Game, seed: int) -> TrainingGame:
    """A random game in which players play beside their own stones if possible."""
    position, rng = game.start(), np.random.default_rng(seed)
    visits = {}
    while not position.is_over:
        legal = list(position.legal_actions())
        beside = [each for each in legal if touches(position, each)] or legal
        visits[position.ply] = dict.fromkeys(beside, 10)
        position = position.play_action(int(rng.choice(beside)))
    return TrainingGame(game, tuple(position.played()), visits)


def touches(position: kakomi.Position, action: int) -> bool:
    """Whether an action is beside a stone of the player to act."""
    point = position.game.actions[action].point
    if not point:
        return False
    geometry, stones = position.game.geometry, position.stones()
    around = geometry.neighbours[geometry.index[point]]
    return any(stones.get(geometry.names[each]) == position.to_move for each in around)


def test_held_out_games_without_rows_leave_no_nan() -> None:
    game = quick("rive")
    taught_games = [taught(game, seed) for seed in range(2 * HELD_OUT)]
    taught_games[::HELD_OUT] = [replace(each, policies={}) for each in taught_games[::HELD_OUT]]
    fit = fitted(taught_games)
    assert np.isfinite([fit.policy, fit.value]).all()


def test_what_a_teacher_does_is_found_on_games_that_were_not_learned_from() -> None:
    game = quick("rive")
    fit = fitted([taught(game, seed) for seed in range(GAMES)])
    assert fit.entropy < fit.policy < fit.entropy + 0.35 * (fit.uniform - fit.entropy)
    assert fit.value < 0.69
    assert fit.rows > 0


def test_games_on_several_boards_make_one_table() -> None:
    games = [taught(kakomi.game("rive", size=size), seed) for seed in range(30) for size in (4, 3, 2)]
    fit = fitted(games)
    for size in (2, 3, 4):
        fit.table.patterns(kakomi.game("rive", size=size))
    held_out = games[::HELD_OUT]
    assert len({game.game for game in held_out}) == 3
    assert fit.rows == sum(len(game.policies) for game in held_out)


def test_equal_games_and_seeds_make_equal_tables() -> None:
    games = [taught(quick("rive"), seed) for seed in range(20)]
    first, second = fitted(games).table, fitted(games).table
    assert np.array_equal(first.shares, second.shares) and np.array_equal(first.values, second.values)
    assert not np.array_equal(first.shares, fitted([*games[1:], games[0]]).table.shares)


def test_games_that_are_too_few_are_refused() -> None:
    with pytest.raises(ValueError, match="there are 1 games to learn from"):
        fitted([taught(quick("rive"), 1)])
    with pytest.raises(ValueError, match="no position"):
        fitted([replace(taught(quick("rive"), seed), policies={}) for seed in range(20)])
