"""What a learner sees of Ren beside the stones."""

import numpy as np

from kakomi.games.ren.rules import STATE
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


def bounds(board):
    """The least and the largest number of each of these planes."""
    points = (0.0, np.iinfo(STATE["points"].base).max / 16)  # the rules set no other
    return [(0.0, 1.0), points, points, (0.0, int(board["rui_limit"]) / 16), (0.0, 1.0)]


def observe(board, state, viewer, spots, out):
    """The stones, the weak ones, and what has been scored and counted."""
    plane = observe_stones(board, state, viewer, spots, out)
    fill_plane(out[plane], 0.0)
    for k in range(state.rui_count):
        out[plane, spots[state.rui[k]]] = 1.0
    fill_plane(out[plane + 1], state.points[viewer] / 16)
    fill_plane(out[plane + 2], state.points[1 - viewer] / 16)
    fill_plane(out[plane + 3], state.replacements / 16)
    fill_plane(out[plane + 4], 1.0 if state.passes == 1 else 0.0)


def mask_legal(board, state, scratch, out):
    """Every empty square, every stone that may be replaced, and to pass (RULES N1)."""
    for point in range(board.points):
        out[point] = state.stones[point] == EMPTY
    for k in range(state.rui_count):
        out[state.rui[k]] = True
    out[board.points] = True
