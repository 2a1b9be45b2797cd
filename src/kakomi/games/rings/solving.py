"""Rings for a solver: between two players every conversion is made at once, and points that lie in the same
one circle alone are told apart by nothing.

That a turn may convert all that it can is proved in `kakomi.games.rings.policy` for two players; the value
of a turn's actions one by one is the same, so that a turn may also be begun by the rules and ended here.
Only at the six corners are there two points in one full circle alone: twins. What the two hold, in whatever
order, is one piece, which both show.
"""

import sys

import numpy as np

from kakomi.core import Game
from kakomi.core.solving import Solving, widened
from kakomi.games.rings import rules
from kakomi.games.rings.bounds import bound_scores, weigh_players
from kakomi.games.rings.policy import candidates
from kakomi.games.rings.rules import MAX_PLAYERS, MAX_POINTS, NOBODY, SCRATCH, over, scores
from kakomi.kernel.contract import EMPTY

__all__ = ["SCRATCH", "STATE", "legal", "over", "play", "restore", "scores", "solving"]

STATE = widened(
    rules.STATE,
    ("rings_pieces", np.int8, MAX_POINTS),
    ("sure", np.int16, MAX_PLAYERS),
    ("attainable", np.int16, MAX_PLAYERS),
    ("standing", np.int16, MAX_PLAYERS),
)


def restore(board, state, scratch):
    """As the rules do, and what a solver looks at."""
    rules.restore(board, state, scratch)
    _sum_up(board, state)


def legal(board, state, scratch):
    """What a search would try, but of two empty twins only one."""
    n = 0
    for i in range(candidates(board, state, scratch)):
        action = scratch.actions[i]
        if action < board.points:
            twin = board.twin[action]
            if twin != NOBODY and twin < action and state.stones[twin] == EMPTY:
                continue
        scratch.actions[n] = action
        n += 1
    return n


def play(board, state, scratch, action):
    """As the rules do; of two players the mover then converts all that can be."""
    rules.play(board, state, scratch, action)
    if board.players == 2:
        while state.converting:
            circle = state.convertible[state.to_move, 0]
            rules.play(board, state, scratch, board.points + 2 + circle)
    _sum_up(board, state)


def _sum_up(board, state):
    for point in range(board.points):
        state.rings_pieces[point] = state.stones[point]
        twin = board.twin[point]
        if twin != NOBODY:
            state.rings_pieces[point] = _pair(int(state.stones[point]), int(state.stones[twin]))
    bound_scores(board, state)
    weigh_players(board, state)


def _pair(one, other):
    """A number for what two points hold in whatever order: EMPTY if both are empty, then from 0 on."""
    less, more = min(one, other) - EMPTY, max(one, other) - EMPTY
    return more * (more + 1) // 2 + less + EMPTY


def solving(game: Game) -> Solving:
    """How positions of a game are told apart."""
    board = game.board.view(np.recarray)[0]
    held = game.players + 1  # EMPTY or a player
    pairs = held * (held + 1) // 2
    twins = [int(twin) for twin in board.twin[: board.points]]
    return Solving(
        sys.modules[__name__],
        numbers={"to_move": 3, "converting": 1, "passes": 3},
        pieces="rings_pieces",
        kinds=pairs - 1,
        widths=[_width(point, twin, held, pairs) for point, twin in enumerate(twins)],
        least="sure",
        most="attainable",
        standing="standing",
    )


def _width(point: int, twin: int, held: int, pairs: int) -> int:
    """How many bits it takes to tell what a point holds; the first of two twins speaks for both."""
    if twin == NOBODY:
        return (held - 1).bit_length()
    return (pairs - 1).bit_length() if point < twin else 0
