"""What a learner sees of Rin beside the stones."""

from kakomi.kernel.contract import observe_stones
from kakomi.kernel.planes import fill_plane

PLANES = ("second stone of the turn",)


def observe(board, state, viewer, spots, out):
    """The stones, and how far the turn has come."""
    plane = observe_stones(board, state, viewer, spots, out)
    fill_plane(out[plane], 1.0 if state.left_in_turn == 1 else 0.0)
