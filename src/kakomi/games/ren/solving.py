"""Ren for a solver: of the points only the lead matters, and weak stones are pieces of their own."""

import sys

import numpy as np

from kakomi.core import Game
from kakomi.core.solving import Solving, widened
from kakomi.games.ren import rules
from kakomi.games.ren.rules import MAX_POINTS, SCRATCH, legal, over, scores

__all__ = ["SCRATCH", "STATE", "legal", "over", "play", "restore", "scores", "solving"]

STATE = widened(rules.STATE, ("ren_pieces", np.int8, MAX_POINTS), ("ren_lead", np.int16))
WEAK = 2
"""What a weak stone is, whose it is follows from who is to move (RULES N5)."""


def restore(board, state, scratch):
    """As the rules do, and what a solver looks at."""
    rules.restore(board, state, scratch)
    _sum_up(board, state)


def play(board, state, scratch, action):
    """As the rules do, and what a solver looks at."""
    rules.play(board, state, scratch, action)
    _sum_up(board, state)


def _sum_up(board, state):
    state.ren_lead = state.points[0] - state.points[1]
    for point in range(board.points):
        state.ren_pieces[point] = state.stones[point]
    for k in range(state.rui_count):
        state.ren_pieces[state.rui[k]] = WEAK


def solving(game: Game) -> Solving:
    """How positions of a game are told apart."""
    return Solving(
        sys.modules[__name__],
        numbers={"to_move": 1, "passes": 2, "replacements": 5, "ren_lead": 16},
        pieces="ren_pieces",
        kinds=3,
    )
