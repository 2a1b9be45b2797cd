"""Advice to a search in Rin: look first where rings close, then beside stones."""

from kakomi.games.rin.rules import group_of, stones_around

CLOSES = 1.0
PREVENTS = 0.9
ALONE = 0.5
BESIDE_ONE = 0.55
BESIDE_BOTH = 0.65


def prior(board, state, scratch, count, out):
    """Rate points that close a ring highest, then points that prevent one, then points beside stones."""
    mover = int(state.to_move)
    for i in range(count):
        point = scratch.actions[i]
        own = stones_around(board, state, mover, point)
        enemy = stones_around(board, state, 1 - mover, point)
        if may_close_ring(board, state, mover, point, own):
            out[i] = CLOSES
        elif may_close_ring(board, state, 1 - mover, point, enemy):
            out[i] = PREVENTS
        elif own > 0 and enemy > 0:
            out[i] = BESIDE_BOTH
        elif own > 0 or enemy > 0:
            out[i] = BESIDE_ONE
        else:
            out[i] = ALONE


def may_close_ring(board, state, player, point, mask):
    """Whether two arms that a stone would join belong to one group (`kakomi.games.rin.rules`)."""
    starts = int(board.arms[mask])
    if starts & (starts - 1) == 0:
        return False
    first, second, third = -1, -1, -1
    for k in range(8):
        if starts >> k & 1:
            group = group_of(state, player, board.around[point, k])
            if group == first or group == second or group == third:
                return True
            first, second, third = group, first, second
    return False
