"""What a learner sees of Rin besides the stones."""

from kakomi.games.rin.policy import may_close_ring
from kakomi.games.rin.rules import stones_around
from kakomi.kernel.contract import observe_stones
from kakomi.kernel.planes import fill_plane
from kakomi.kernel.records import EMPTY

PLANES = ("second stone of the turn",)
FEATURES = ("where a stone of one's own may close a ring", "where an enemy stone may")


def observe(board, state, viewer, spots, out):
    """Write the stones, and whether the turn is at its second stone."""
    plane = observe_stones(board, state, viewer, spots, out)
    fill_plane(out[plane], 1.0 if state.left_in_turn == 1 else 0.0)


def mark_features(board, state, scratch, out):
    """Mark where a stone would join two arms of one group (RULES R3)."""
    mover = int(state.to_move)
    for point in range(board.points):
        out[0, point] = 0.0
        out[1, point] = 0.0
        if state.stones[point] == EMPTY:
            for k in range(2):
                player = mover if k == 0 else 1 - mover
                mask = stones_around(board, state, player, point)
                out[k, point] = may_close_ring(board, state, player, point, mask)
