"""What a learner sees of Rings besides the stones."""

from kakomi.games.rings.rules import FULL, NOBODY, opposing
from kakomi.kernel.bits import count_bits
from kakomi.kernel.contract import observe_stones
from kakomi.kernel.planes import fill_plane
from kakomi.kernel.records import EMPTY

PLANES = ("whether the turn has come to conversions", "turns without a stone in succession, of all players")
FEATURES = (
    "circles round a point in which one has the majority",
    "those in which another player has it",
    "those in which a stone would gain it",
    "stones that one could then convert there",
    "circles in which a stone would keep another player from gaining it there",
    "stones that such a player could then convert",
    "rings that a stone would complete",
    "rings that it would keep another player from completing",
    "circles through a point",
)
(_OWN, _OTHER, _GAINED, _CONVERTED, _KEPT, _SAVED, _COMPLETED, _PREVENTED, _CIRCLES) = range(9)
_MOST_CIRCLES, _MOST_STONES = 3.0, 15.0


def observe(board, state, viewer, spots, out):
    """Write the stones, the part of the turn, and the passes."""
    plane = observe_stones(board, state, viewer, spots, out)
    fill_plane(out[plane], float(state.converting))
    fill_plane(out[plane + 1], state.passes / board.players)


def mask_legal(board, state, scratch, out):
    """Mark points and the pass, or the end of the turn and conversions (RULES G5)."""
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


def mark_features(board, state, scratch, out):
    """Write what a stone would change in the circles round each point (RULES G3 to G5)."""
    mover = int(state.to_move)
    for feature in range(len(out)):
        fill_plane(out[feature], 0.0)
    for point in range(board.points):
        may_place = not state.converting and state.stones[point] == EMPTY
        out[_CIRCLES, point] = board.circles_of_count[point] / _MOST_CIRCLES
        for k in range(board.circles_of_count[point]):
            circle = board.circles_of[point, k]
            holder = state.majority[circle]
            if holder == mover:
                out[_OWN, point] += 1 / _MOST_CIRCLES
            elif holder != NOBODY:
                out[_OTHER, point] += 1 / _MOST_CIRCLES
            if may_place:
                _mark_stone(board, state, point, circle, board.bits[point, k], out)


def _mark_stone(board, state, point, circle, bit, out):
    """Add what a stone of the player to act would change in one circle, and what the others' would."""
    mover = int(state.to_move)
    for player in range(board.players):
        is_own = player == mover
        if (
            state.majority[circle] != player
            and 2 * (state.influence[player, circle] + 1) > state.shares[circle]
        ):
            turning = count_bits(opposing(state, circle, player))
            out[_GAINED if is_own else _KEPT, point] += 1 / _MOST_CIRCLES
            out[_CONVERTED if is_own else _SAVED, point] += turning / _MOST_STONES
        if state.own[player, circle] | bit == FULL:
            out[_COMPLETED if is_own else _PREVENTED, point] += 1 / _MOST_CIRCLES
