"""Questions to the rules that positions don't ask."""

import numpy as np

from kakomi.core import Game
from kakomi.kernel import random_state
from kakomi.research import steps


def sampled(game: Game, states: np.ndarray, seed: int) -> int:
    """An action as the rules draw it; 0 if the game is over."""
    actions = np.zeros(1, np.int64)
    going_on, rngs = np.zeros(1, np.bool_), random_state(seed)[None]
    steps.sample_games(game.board, states, game.scratch, going_on, rngs, actions)
    return int(actions[0])


def is_legal(game: Game, states: np.ndarray, action: int) -> bool:
    """What the rules say of one action; True for all if the game is over."""
    going_on, moves = np.zeros(1, np.bool_), steps.Moves(np.array([action]), np.zeros(1, np.bool_))
    return int(steps.find_illegal(game.board, states, game.scratch, going_on, moves)) < 0
