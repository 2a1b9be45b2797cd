"""Nim and a game of one move as plain rules, and drivers over them.

The module doesn't import test tools, because a module's imports affect the names of compiled files.
"""

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from kakomi.kernel import driver, register
from kakomi.kernel.contract import is_legal, legal, over, play, reset, restore, sample, scores

BOARD = np.dtype([("players", np.int64), ("points", np.int64), ("actions", np.int64)], align=True)
SCRATCH = np.dtype([("actions", np.int64, 3)])


def state_type(own_field: str) -> np.dtype:
    return np.dtype([("stones", np.int8, 1), ("to_move", np.int8), (own_field, np.int64)], align=True)


# A heap of seven: take one, two or three; the last to take wins. The rules omit everything optional.


def nim_reset(board, state):
    state.stones[0] = -1
    state.to_move = 0
    state.nim_heap = 7


def nim_legal(board, state, scratch):
    n = 0
    while n < 3 and n < state.nim_heap:
        scratch.actions[n] = n
        n += 1
    return n


def nim_play(board, state, scratch, action):
    state.nim_heap -= action + 1
    state.to_move = 1 - state.to_move


def nim_over(board, state):
    return state.nim_heap == 0


def nim_scores(board, state, out):
    out[0] = state.to_move == 1
    out[1] = state.to_move == 0


NIM = SimpleNamespace(
    __name__=__name__,
    STATE=state_type("nim_heap"),
    SCRATCH=SCRATCH,
    IDENTITY=("stones", "to_move", "nim_heap"),
    reset=nim_reset,
    legal=nim_legal,
    play=nim_play,
    over=nim_over,
    scores=nim_scores,
)
register(NIM)


def other_reset(board, state):
    state.other_heap = 1


def other_play(board, state, scratch, action):
    state.other_heap = 0


def other_over(board, state):
    return state.other_heap == 0


def other_legal(board, state, scratch):
    scratch.actions[0] = 2
    return 1


OTHER = SimpleNamespace(
    __name__=__name__,
    STATE=state_type("other_heap"),
    SCRATCH=SCRATCH,
    reset=other_reset,
    play=other_play,
    over=other_over,
    legal=other_legal,
)
register(OTHER)


def nim_arrays() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.array([(2, 1, 3)], BOARD), np.zeros(1, NIM.STATE), np.zeros(1, SCRATCH)


class Nim(NamedTuple):
    boards: np.ndarray
    states: np.ndarray
    scratches: np.ndarray


@driver
def count_bundled(nim):
    """The number of legal actions at the start, for records passed as one argument."""
    reset(nim.boards[0], nim.states[0])
    return legal(nim.boards[0], nim.states[0], nim.scratches[0])


@driver
def random_game(boards, states, scratches, rng, played, out):
    """Play a random game, write its actions to `played`, and return their number."""
    board, state, scratch = boards[0], states[0], scratches[0]
    reset(board, state)
    restore(board, state, scratch)
    ply = 0
    while not over(board, state):
        action = sample(board, state, scratch, rng)
        if not is_legal(board, state, scratch, action) or is_legal(board, state, scratch, 3):
            return -1
        if legal(board, state, scratch) != min(3, state.nim_heap):
            return -2
        played[ply] = action
        play(board, state, scratch, action)
        ply += 1
    scores(board, state, out)
    return ply


@driver
def element(numbers, place):
    """An element of an array."""
    return numbers[place]


@driver
def first_action(boards, states, scratches):
    reset(boards[0], states[0])
    legal(boards[0], states[0], scratches[0])
    play(boards[0], states[0], scratches[0], 0)
    return scratches[0].actions[0] + 10 * over(boards[0], states[0])
