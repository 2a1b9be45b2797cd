"""Players take one at a time. Each scores a number whose digits come from different sources."""

import numpy as np

from tally import limits
from tally.compiled import through_numba
from tally.constants import STEP, TABLE, TUPLE
from tally.factory import made
from tally.helpers import through_helpers

BOARD = np.dtype([("players", np.int64), ("points", np.int64), ("actions", np.int64)], align=True)
STATE = np.dtype(
    [("stones", np.int8, 1), ("to_move", np.int8), ("tally_left", np.int64), ("total", np.int64)]
)
SCRATCH = np.dtype([("actions", np.int64, 1)])
IDENTITY = ("stones", "to_move", "tally_left", "total")


def board():
    return np.array([(2, 1, 1)], BOARD)


def reset(board, state):
    state.stones[0] = -1
    state.to_move = 0
    state.tally_left = 1
    state.total = 0


def legal(board, state, scratch):
    scratch.actions[0] = 0
    return 1


def by_default(digit, times=STEP):
    return digit * times


def play(board, state, scratch, action):
    state.total += 1
    state.total += 10 * through_helpers()
    state.total += 100 * limits.FACTOR
    state.total += 1000 * by_default(1)
    state.total += 10000 * TABLE[1500]
    state.total += 100000 * TUPLE[0][1500]
    state.total += 1000000 * made()
    state.total += 10000000 * through_numba()
    state.tally_left -= 1


def over(board, state):
    return state.tally_left == 0


def scores(board, state, out):
    out[0] = state.total
    out[1] = 0
