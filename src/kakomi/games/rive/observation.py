"""What a learner sees of Rive beside the stones."""

from kakomi.games.rive.groups import is_whole_without
from kakomi.kernel.contract import observe_stones
from kakomi.kernel.planes import fill_plane
from kakomi.kernel.records import EMPTY

PLANES = ("stones that a capture has yet to remove, of all points", "the group that they are removed from")


def observe(board, state, viewer, spots, out):
    """The stones, and the capture that is going on (RULES V4)."""
    plane = observe_stones(board, state, viewer, spots, out)
    fill_plane(out[plane], state.excess / board.points)
    fill_plane(out[plane + 1], 0.0)
    if state.excess > 0:
        for i in range(state.choice_count):
            out[plane + 1, spots[state.choices[i]]] = 1.0


def mask_legal(board, state, scratch, out):
    """Cells beside the smallest groups (RULES V3), or in a capture the stones that may go (V5)."""
    fill_plane(out, False)
    if state.excess == 0:
        for point in range(board.points):
            out[point] = (state.stones[point] == EMPTY) & (state.largest_beside[point] == state.lowest)
    else:
        for i in range(state.choice_count):
            point = int(state.choices[i])
            out[board.points + point] = is_whole_without(board, state, point, state.holes)
