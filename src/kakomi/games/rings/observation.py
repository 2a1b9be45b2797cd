"""What a learner sees of Rings beside the stones."""

from kakomi.kernel.contract import observe_stones
from kakomi.kernel.planes import fill_plane
from kakomi.kernel.records import EMPTY

PLANES = ("whether the turn has come to conversions", "turns without a stone in succession, of all players")


def observe(board, state, viewer, spots, out):
    """The stones, and how near the end is."""
    plane = observe_stones(board, state, viewer, spots, out)
    fill_plane(out[plane], float(state.converting))
    fill_plane(out[plane + 1], state.passes / board.players)


def mask_legal(board, state, scratch, out):
    """Points and the pass, or the end of the turn and conversions (RULES G5)."""
    first = board.points + 2
    if state.converting:
        fill_plane(out[: board.points + 1], False)
        for circle in range(board.circles):
            out[first + circle] = state.convertible_by[circle] == state.to_move
    else:
        for point in range(board.points):
            out[point] = state.stones[point] == EMPTY
        out[board.points] = True
        fill_plane(out[first:], False)
    out[board.points + 1] = state.converting == 1
