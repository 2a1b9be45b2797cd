"""What a learner sees of Rive besides the stones."""

from kakomi.games.rive.groups import is_whole_without
from kakomi.games.rive.policy import captures
from kakomi.games.rive.rules import is_shrinking
from kakomi.kernel.contract import observe_stones
from kakomi.kernel.elementary import log2
from kakomi.kernel.planes import fill_plane
from kakomi.kernel.records import EMPTY

PLANES = ("stones that a capture has yet to remove, of all points", "the group that they are removed from")
FEATURES = (
    "the size of a stone's group, or of the largest beside an empty cell unless there is a capture",
    "where a stone may be placed",
    "where it would capture",
    "stones that may be removed",
)

LARGEST = 8.0
"""The binary logarithm of a group size that a feature shows as 1."""


def observe(board, state, viewer, spots, out):
    """Write the stones and the capture in progress (RULES V4)."""
    plane = observe_stones(board, state, viewer, spots, out)
    fill_plane(out[plane], state.excess / board.points)
    fill_plane(out[plane + 1], 0.0)
    if state.excess > 0:
        for i in range(state.choice_count):
            out[plane + 1, spots[state.choices[i]]] = 1.0


def mask_legal(board, state, scratch, out):
    """Mark cells beside the smallest groups (RULES V3) or, in a capture, removable stones (V5)."""
    fill_plane(out, False)
    if state.excess == 0:
        for point in range(board.points):
            out[point] = (state.stones[point] == EMPTY) & (state.largest_beside[point] == state.lowest)
    else:
        for i in range(state.choice_count):
            point = int(state.choices[i])
            out[board.points + point] = is_whole_without(board, state, point, state.holes)


def mark_features(board, state, scratch, out):
    """Write what the legality and the effect of an action depend on (RULES V3, V4, V5)."""
    is_placing = state.excess == 0
    for point in range(board.points):
        is_empty = state.stones[point] == EMPTY
        size = _size_at(state, point)
        out[0, point] = log2(1.0 + size) / LARGEST
        may_place = is_placing and is_empty and size == state.lowest
        out[1, point] = may_place
        out[2, point] = may_place and captures(board, state, scratch, point)
        out[3, point] = 0.0
    if not is_placing:
        for i in range(state.choice_count):
            point = int(state.choices[i])
            out[3, point] = is_whole_without(board, state, point, state.holes)


def _size_at(state, point):
    """Return the size of the group on a point, or of the largest beside it. During a capture, the shrinking
    group counts with its final size, and empty cells, not all of which are up to date, with 0."""
    if state.stones[point] == EMPTY:
        return int(state.largest_beside[point]) if state.excess == 0 else 0
    if state.excess > 0 and is_shrinking(state, point):
        return int(state.lowest) + 1
    return int(state.group_sizes[state.rive_groups[point]])
