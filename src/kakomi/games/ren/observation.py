"""What a learner sees of Ren besides the stones."""

import math

import numpy as np

from kakomi.games.ren.policy import WEIGHTS, log_share, points_by, would_capture
from kakomi.games.ren.rules import STATE, is_legal
from kakomi.kernel.contract import observe_stones
from kakomi.kernel.planes import fill_plane
from kakomi.kernel.records import EMPTY

PLANES = (
    "weak stones that may be replaced now",
    "own points, in sixteenths",
    "the opponent's points, in sixteenths",
    "replacements in succession, in sixteenths",
    "whether the last action was a pass",
)
FEATURES = (
    "points that a stone would make on an empty square",
    "points that an enemy stone would",
    "where a stone would capture",
    "what the game's own policy thinks of a stone",
)


def bounds(board):
    """Return the least and the largest number in each plane of `PLANES`."""
    points = (0.0, np.iinfo(STATE["points"].base).max / 16)  # the rules set no other limit
    return [(0.0, 1.0), points, points, (0.0, int(board["rui_limit"]) / 16), (0.0, 1.0)]


def observe(board, state, viewer, spots, out):
    """Write the stones, the weak ones, the points, and the counts of replacements and passes."""
    plane = observe_stones(board, state, viewer, spots, out)
    fill_plane(out[plane], 0.0)
    for k in range(state.rui_count):
        out[plane, spots[state.rui[k]]] = 1.0
    fill_plane(out[plane + 1], state.points[viewer] / 16)
    fill_plane(out[plane + 2], state.points[1 - viewer] / 16)
    fill_plane(out[plane + 3], state.replacements / 16)
    fill_plane(out[plane + 4], 1.0 if state.passes == 1 else 0.0)


def mask_legal(board, state, scratch, out):
    """Mark empty squares, stones that may be replaced, and the pass (RULES N1)."""
    for point in range(board.points):
        out[point] = state.stones[point] == EMPTY
    for k in range(state.rui_count):
        out[state.rui[k]] = True
    out[board.points] = True


def mark_features(board, state, scratch, out):
    """Write what a stone would do on each square (RULES N2, N3, N7), and its rating where it is legal."""
    mover = int(state.to_move)
    for point in range(board.points):
        for feature in range(4):
            out[feature, point] = 0.0
        if state.stones[point] == EMPTY:
            out[0, point] = points_by(board, state, point, mover) / 4
            out[1, point] = points_by(board, state, point, 1 - mover) / 4
            out[2, point] = would_capture(board, state, point, mover)
        if is_legal(board, state, scratch, point):
            hundredths = math.floor(100 * log_share(board, state, point, WEIGHTS) + 0.5)
            out[3, point] = hundredths / 800  # rounded: symmetric positions give the same number
