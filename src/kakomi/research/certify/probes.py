"""Questions to a game: what its rules say that positions don't ask, and all that is known of a position."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kakomi.core import Game, Position
from kakomi.kernel import random_state
from kakomi.research import steps
from kakomi.research.observation import observe


def sampled(game: Game, states: np.ndarray, seed: int) -> int:
    """An action as the rules draw it; 0 if the game is over."""
    return int(drawn(game, states, seed, 1)[0])


def drawn(game: Game, states: np.ndarray, seed: int, count: int) -> np.ndarray:
    """So many actions as the rules draw them, one after the other from one generator (int64, count)."""
    actions, played, rngs = np.zeros(count, np.int64), np.zeros(1, np.int8), random_state(seed)[None]
    for i in range(count):
        steps.sample_games(game.board, states, game.scratch, played, rngs, actions[i : i + 1])
    return actions


def is_legal(game: Game, states: np.ndarray, action: int) -> bool:
    """What the rules say of one action; True for all if the game is over."""
    played = np.zeros(1, np.int8)
    return int(steps.find_illegal(game.board, states, game.scratch, np.array([action]), played)) < 0


def snapshot(position: Position) -> dict[str, Any]:
    """All that the rules say of a position, by name."""
    return {
        "player to act": position.to_move,
        "game over": position.is_over,
        "stones": position.stones(),
        "kinds": position.kinds(),
        "legal actions": position.legal(),
        "scores": position.scores(),
        "key": position.key().hex(),
    }


def appearance(position: Position) -> tuple[Any, ...]:
    """What a position looks like to those who play on from it, whatever it holds besides."""
    observation, mask = observe(position)
    return position.to_move, tuple(position.scores()), observation.tobytes(), mask.tobytes()


def spread(items: Sequence[Any], count: int) -> list[Any]:
    """So many of them, evenly spread, the first and the last among them."""
    if len(items) <= count:
        return list(items)
    return [items[i * (len(items) - 1) // (count - 1)] for i in range(count)]
