"""Rive for a solver: of a group that a capture shrinks every stone is marked, so that no stone of it needs
to stand for the others and the board's symmetries apply."""

import sys

import numpy as np

from kakomi.core import Game
from kakomi.core.solving import Solving, widened
from kakomi.games.rive import rules
from kakomi.games.rive.groups import MAX_POINTS
from kakomi.games.rive.rules import SCRATCH, legal, over, scores

__all__ = ["SCRATCH", "STATE", "legal", "over", "play", "restore", "scores", "solving"]

STATE = widened(rules.STATE, ("rive_pieces", np.int8, MAX_POINTS))
REMOVABLE = 2
"""Added to a stone of the group that shrinks."""


def restore(board, state, scratch):
    """As the rules do, and the marks."""
    rules.restore(board, state, scratch)
    _mark(board, state)


def play(board, state, scratch, action):
    """As the rules do, and the marks."""
    rules.play(board, state, scratch, action)
    _mark(board, state)


def _mark(board, state):
    for point in range(board.points):
        state.rive_pieces[point] = state.stones[point]
    if state.excess > 0:
        for i in range(state.choice_count):
            state.rive_pieces[state.choices[i]] += REMOVABLE


def solving(game: Game) -> Solving:
    """How positions of a game are told apart."""
    return Solving(sys.modules[__name__], numbers={"to_move": 1, "excess": 0}, pieces="rive_pieces", kinds=4)
