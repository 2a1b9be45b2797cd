"""Rin's rules (RULES R1-R6), by Zhen Wang, 2010.

Rings are filled as soon as they close, so between actions every point without a stone of a colour can reach
the edge through such points. Only the stone just placed can close a new ring, and only where it joins two
arms of one 8-connected group of its colour. A union-find per colour keeps these groups. It never splits a
group, though a capture may, so it only proposes candidates, and a flood fill decides. (Only a board arranged
by hand can hold a ring that was never filled. The next stone of its colour fills it, after one search of the
whole board.)
"""

import numpy as np

from kakomi.boards import EIGHT_AROUND, Geometry
from kakomi.core.option import Options
from kakomi.kernel.records import (
    EMPTY,
    board_record,
    clear_stones,
    draw_empty,
    empty_fields,
    list_empties,
    put_stone,
    scratch_record,
    state_record,
)

MAX_SIZE = 18
MAX_POINTS = MAX_SIZE * MAX_SIZE
OUTSIDE = MAX_POINTS  # one point for everything beyond the edge
WALL = -2  # the value of `stones` there

BOARD = board_record(
    ("around", np.uint16, (MAX_POINTS, 8)),  # clockwise from above, OUTSIDE beyond the edge
    ("outwards", np.uint16, (MAX_POINTS, 4)),  # orthogonal neighbours, the one nearest the edge last
    ("safe", np.int8, MAX_POINTS),  # RULES R2
    ("arms", np.uint8, 256),  # by the mask of own stones on the 8 neighbours: where their arms start
)
STATE = state_record(
    MAX_POINTS + 1,
    ("left_in_turn", np.int8),
    ("counts", np.int16, 2),
    *empty_fields(MAX_POINTS),
    ("rin_links", np.uint16, (2, MAX_POINTS)),  # the union-find
    ("arranged", np.int8, 2),  # whether a colour may have unfilled rings
)
IDENTITY = ("stones", "to_move", "left_in_turn")
RANGES = {"left_in_turn": range(1, 3)}  # RULES R1
SCRATCH = scratch_record(
    MAX_POINTS,
    ("stack", np.uint16, 4 * MAX_POINTS),
    ("region", np.uint16, MAX_POINTS),
    ("seen", np.int64, MAX_POINTS),  # the number of the last flood that reached the point
    ("floods", np.int64),
)


def build_board(board: np.void, geometry: Geometry, options: Options) -> None:
    """Fill in the neighbours of each point, the safe zone, and the arms that stones round a point form."""
    last = geometry.size - 1
    from_edge = {
        point: min(row, column, last - row, last - column)
        for point, (row, column) in enumerate(geometry.grid)
    }
    from_edge[OUTSIDE] = -1
    for point, around in enumerate(geometry.around(EIGHT_AROUND, OUTSIDE)):
        board["around"][point] = around
        board["outwards"][point] = sorted(around[::2], key=from_edge.__getitem__, reverse=True)
        board["safe"][point] = from_edge[point] == 0
    board["arms"] = [_arm_starts(mask) for mask in range(256)]


def _arm_starts(mask: int) -> int:
    """Mask the first stone, clockwise, of each arm; only orthogonal neighbours without one separate arms."""
    own = [mask >> k & 1 for k in range(8)]
    starts = [k for k in range(8) if own[k] and not own[k - 1] and (k % 2 or not own[k - 2])]
    return sum(1 << k for k in starts) or mask & 1  # stones on all four sides form one arm without a start


def reset(board, state):
    """Set up the empty board. Black's first turn is one stone (RULES R1)."""
    clear_stones(board, state)
    _clear(board, state)
    for point in range(board.points, MAX_POINTS + 1):
        state.stones[point] = WALL
    state.to_move = 0
    state.left_in_turn = 1
    state.arranged[0] = 0
    state.arranged[1] = 0


def restore(board, state, scratch):
    """Compute the helper fields from the stones."""
    list_empties(board, state)
    _clear(board, state)
    for point in range(board.points):
        if state.stones[point] != EMPTY:
            state.counts[state.stones[point]] += 1
            _join_around(board, state, point)
    state.arranged[0] = 1
    state.arranged[1] = 1


def _clear(board, state):
    """Remove all stones and groups from the helper fields."""
    for player in range(2):
        state.counts[player] = 0
        for point in range(board.points):
            state.rin_links[player, point] = point


def is_legal(board, state, scratch, action):
    """Whether the point is empty (RULES R4)."""
    return state.stones[action] == EMPTY


def sample(board, state, scratch, rng):
    """Draw an empty point."""
    return draw_empty(state, rng)


def play(board, state, scratch, action):
    """Place a stone, fill the rings it closes (RULES R3), and end the turn after its last stone (R1)."""
    mover = state.to_move
    _put(state, action, mover)
    if _may_close_ring(board, state, action):
        _fill_rings_around(board, state, scratch, action)
    if state.arranged[mover]:
        _fill_rings_anywhere(board, state, scratch, mover)
        state.arranged[mover] = 0
    state.left_in_turn -= 1
    if state.left_in_turn == 0:
        state.to_move = 1 - mover
        state.left_in_turn = 2


def over(board, state):
    """Whether the board is full (RULES R4)."""
    return state.empty_count == 0


def scores(board, state, out):
    """Count each player's stones on the board (RULES R5)."""
    out[0] = state.counts[0]
    out[1] = state.counts[1]


def _put(state, point, player):
    put_stone(state, point, player)
    state.counts[player] += 1


def stones_around(board, state, player, point):
    """Return the mask of a player's stones on the eight points round a point."""
    mask = 0
    for k in range(8):
        if state.stones[board.around[point, k]] == player:
            mask |= 1 << k
    return mask


def _may_close_ring(board, state, point):
    """Join the groups round a new stone. Return whether two of its arms already belonged to one group."""
    mover = state.stones[point]
    starts = int(board.arms[stones_around(board, state, mover, point)])
    closes = False
    for k in range(8):
        if starts >> k & 1:
            joined = group_of(state, mover, point)
            group = group_of(state, mover, board.around[point, k])
            closes |= group == joined
            state.rin_links[mover, joined] = group
    return closes


def _join_around(board, state, point):
    mover = state.stones[point]
    root = group_of(state, mover, point)
    for k in range(8):
        beside = board.around[point, k]
        if state.stones[beside] == mover:
            other = group_of(state, mover, beside)
            if other != root:
                state.rin_links[mover, other] = root


def group_of(state, player, point):
    """Return the representative of a point's group, with path halving."""
    while state.rin_links[player, point] != point:
        above = state.rin_links[player, state.rin_links[player, point]]
        state.rin_links[player, point] = above
        point = above
    return int(point)


def _fill_rings_around(board, state, scratch, point):
    """Fill the regions enclosed beside a new stone. It may have closed several rings at once."""
    first_flood = scratch.floods + 1
    for k in range(0, 8, 2):
        beside = board.around[point, k]
        if beside != OUTSIDE:
            _fill_if_ring(board, state, scratch, beside, state.stones[point], first_flood)


def _fill_rings_anywhere(board, state, scratch, mover):
    first_flood = scratch.floods + 1
    for point in range(board.points):
        _fill_if_ring(board, state, scratch, point, mover, first_flood)


def _fill_if_ring(board, state, scratch, start, mover, first_flood):
    """Fill the region round a point if a ring encloses it and no flood of this action has reached it."""
    if state.stones[start] == mover or scratch.seen[start] >= first_flood:
        return
    scratch.floods += 1
    size = _enclosed(board, state, scratch, start, mover, first_flood)
    for i in range(size):
        _take(state, scratch.region[i], mover)
    for i in range(size):
        _join_around(board, state, scratch.region[i])


def _enclosed(board, state, scratch, start, mover, first_flood):
    """Write the region round `start` without stones of the mover into `scratch.region` and return its size; 0
    if it reaches the safe zone, or a region that did during this action."""
    flood = scratch.floods
    scratch.seen[start] = flood
    scratch.stack[0] = start
    height = 1
    size = 0
    while height > 0:
        height -= 1
        point = scratch.stack[height]
        if board.safe[point]:
            return 0
        scratch.region[size] = point
        size += 1
        for k in range(4):
            beside = board.outwards[point, k]
            if state.stones[beside] == mover or scratch.seen[beside] == flood:
                continue
            if scratch.seen[beside] >= first_flood:
                return 0
            scratch.seen[beside] = flood
            scratch.stack[height] = beside
            height += 1
    return size


def _take(state, point, mover):
    """Put the mover's stone on an enclosed point, empty or not."""
    if state.stones[point] == EMPTY:
        _put(state, point, mover)
    else:
        state.stones[point] = mover
        state.counts[mover] += 1
        state.counts[1 - mover] -= 1
