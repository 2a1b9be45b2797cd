"""Reversi's rules: a stone flips every row of enemy stones between it and another stone of its colour."""

import numpy as np

from kakomi.boards import EIGHT_AROUND
from kakomi.kernel.records import EMPTY, board_record, scratch_record, state_record

MAX_SIZE = 10
MAX_POINTS = MAX_SIZE * MAX_SIZE
OUTSIDE = MAX_POINTS  # one point for everything beyond the edge

BOARD = board_record(("around", np.int16, (MAX_POINTS, 8)))
STATE = state_record(
    MAX_POINTS,
    ("reversi_passes", np.int8),  # in succession
    ("unfilled", np.int16),
)
IDENTITY = ("stones", "to_move", "reversi_passes")
RANGES = {"reversi_passes": range(3)}
SCRATCH = scratch_record(MAX_POINTS + 1)


def build_board(board, geometry, options):
    """Fill in the neighbours of each point."""
    board["around"][: geometry.points] = geometry.around(EIGHT_AROUND, OUTSIDE)


def reset(board, state):
    """Set up the four stones in the middle."""
    for point in range(MAX_POINTS):
        state.stones[point] = EMPTY
    size = 4
    while size * size < board.points:
        size += 2
    middle = (size // 2 - 1) * (size + 1)
    state.stones[middle] = 0
    state.stones[middle + 1] = 1
    state.stones[middle + size] = 1
    state.stones[middle + size + 1] = 0
    state.to_move = 0
    state.reversi_passes = 0
    state.unfilled = board.points - 4


def restore(board, state, scratch):
    """Count the empty points."""
    state.unfilled = 0
    for point in range(board.points):
        if state.stones[point] == EMPTY:
            state.unfilled += 1


def legal(board, state, scratch):
    """List the points where a stone flips something; without any, there is only the pass."""
    n = 0
    for point in range(board.points):
        if is_flipping(board, state, point):
            scratch.actions[n] = point
            n += 1
    if n == 0:
        scratch.actions[0] = board.points
        n = 1
    return n


def play(board, state, scratch, action):
    """Place a stone and flip what it flanks, or pass."""
    mover = int(state.to_move)
    state.to_move = 1 - mover
    if action == board.points:
        state.reversi_passes += 1
        return
    state.reversi_passes = 0
    for way in range(8):
        point = action
        for _ in range(flanked(board, state, action, way, mover)):
            point = board.around[point, way]
            state.stones[point] = mover
    state.stones[action] = mover
    state.unfilled -= 1


def over(board, state):
    """Whether the board is full, or neither player can place a stone."""
    return state.unfilled == 0 or state.reversi_passes == 2


def scores(board, state, out):
    """Count each player's stones."""
    out[0] = 0
    out[1] = 0
    for point in range(board.points):
        if state.stones[point] != EMPTY:
            out[state.stones[point]] += 1


def is_flipping(board, state, point):
    """Whether a stone of the player to act could go here."""
    if state.stones[point] != EMPTY:
        return False
    for way in range(8):
        if flanked(board, state, point, way, state.to_move) > 0:
            return True
    return False


def flanked(board, state, point, way, mover):
    """Return how many enemy stones lie between a point and the mover's next stone in one direction."""
    n = 0
    beside = board.around[point, way]
    while beside != OUTSIDE and state.stones[beside] == 1 - mover:
        n += 1
        beside = board.around[beside, way]
    if beside == OUTSIDE or state.stones[beside] != mover:
        return 0
    return n
