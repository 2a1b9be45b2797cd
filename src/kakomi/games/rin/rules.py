"""Rin's rules (RULES R1-R6), by Zhen Wang, 2010.

Territory is territory because a ring shuts it off: for each colour, the points that hold none of its
stones always reach the edge. So a new ring can only be closed by the stone just placed, and only where
it joins two arms of one 8-connected group of its colour, which a union-find per colour remembers.
Groups there are joined and never split again, though a capture may split one: the union-find only
picks the candidates, and a flood fill decides. (Only a board arranged by hand can hold a ring that was
never filled; the next stone of its colour fills it, found by looking everywhere once.)
"""

import numpy as np

from kakomi.boards import Geometry
from kakomi.kernel import below
from kakomi.kernel.contract import EMPTY
from kakomi.kernel.pool import put_in, take_out

MAX_SIZE = 18
MAX_POINTS = MAX_SIZE * MAX_SIZE
OUTSIDE = MAX_POINTS  # the one point that stands for all beyond the edge
WALL = -2  # what `stones` holds there

BOARD = np.dtype(
    [
        ("players", np.int64),
        ("points", np.int64),
        ("actions", np.int64),
        ("around", np.uint16, (MAX_POINTS, 8)),  # clockwise from above, OUTSIDE beyond the edge
        ("outwards", np.uint16, (MAX_POINTS, 4)),  # orthogonal neighbours, the one nearest the edge last
        ("safe", np.int8, MAX_POINTS),  # RULES R2
        ("arms", np.int8, 256),  # how many separate arms the 8 neighbours form, by the mask of own stones
    ],
    align=True,
)
STATE = np.dtype(
    [
        ("stones", np.int8, MAX_POINTS + 1),
        ("to_move", np.int8),
        ("left_in_turn", np.int8),
        ("counts", np.int16, 2),
        ("empty_count", np.int16),
        ("empties", np.uint16, MAX_POINTS),
        ("place_in_empties", np.uint16, MAX_POINTS),
        ("rin_links", np.uint16, (2, MAX_POINTS)),  # the union-find
        ("arranged", np.int8, 2),  # whether a colour may have rings that play didn't close
    ],
    align=True,
)
IDENTITY = ("stones", "to_move", "left_in_turn")
SCRATCH = np.dtype(
    [
        ("actions", np.int16, MAX_POINTS),
        ("stack", np.uint16, 4 * MAX_POINTS),
        ("region", np.uint16, MAX_POINTS),
        ("seen", np.int64, MAX_POINTS),  # the number of the flood that last came by
        ("floods", np.int64),
    ],
    align=True,
)


def build_board(geometry: Geometry) -> np.ndarray:
    """The geometry as a record for the rules."""
    board = np.zeros(1, BOARD)
    record = board[0]
    size = geometry.size
    record["players"] = 2
    record["points"] = record["actions"] = geometry.points
    for point in range(geometry.points):
        row, column = divmod(point, size)
        for k, (down, right) in enumerate(_CLOCKWISE):
            inside = 0 <= row + down < size and 0 <= column + right < size
            record["around"][point, k] = (row + down) * size + column + right if inside else OUTSIDE
        orthogonal = sorted(record["around"][point, ::2], key=lambda p: -_from_edge(int(p), size))
        record["outwards"][point] = orthogonal
        record["safe"][point] = _from_edge(point, size) == 0
    record["arms"] = [_arms(mask) for mask in range(256)]
    return board


_CLOCKWISE = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))


def _from_edge(point: int, size: int) -> int:
    row, column = divmod(point, size)
    return -1 if point == OUTSIDE else min(row, column, size - 1 - row, size - 1 - column)


def _arms(mask: int) -> int:
    """Arms of own stones round a point: only an orthogonal neighbour without one keeps two apart."""
    own = [bool(mask >> k & 1) for k in range(8)]
    gaps = [k for k in range(0, 8, 2) if not own[k]]
    return sum(any(own[k % 8] for k in range(gap, _next_gap(gaps, i))) for i, gap in enumerate(gaps))


def _next_gap(gaps: list[int], i: int) -> int:
    return gaps[i + 1] if i + 1 < len(gaps) else gaps[0] + 8


def reset(board, state):
    """The empty board; Black's first turn is one stone (RULES R1)."""
    for point in range(board.points):
        state.stones[point] = EMPTY
        state.empties[point] = point
        state.place_in_empties[point] = point
        state.rin_links[0, point] = point
        state.rin_links[1, point] = point
    for point in range(board.points, MAX_POINTS + 1):
        state.stones[point] = WALL
    state.to_move = 0
    state.left_in_turn = 1
    state.counts[0] = 0
    state.counts[1] = 0
    state.empty_count = board.points
    state.arranged[0] = 0
    state.arranged[1] = 0


def restore(board, state, scratch):
    """The helper fields, from the stones alone."""
    state.empty_count = 0
    state.counts[0] = 0
    state.counts[1] = 0
    for point in range(board.points):
        state.rin_links[0, point] = point
        state.rin_links[1, point] = point
        if state.stones[point] == EMPTY:
            state.empty_count = put_in(state.empties, state.place_in_empties, state.empty_count, point)
        else:
            state.counts[state.stones[point]] += 1
    for point in range(board.points):
        if state.stones[point] != EMPTY:
            _join_around(board, state, point)
    state.arranged[0] = 1
    state.arranged[1] = 1


def legal(board, state, scratch):
    """Every empty point (RULES R4)."""
    n = 0
    for point in range(board.points):
        if state.stones[point] == EMPTY:
            scratch.actions[n] = point
            n += 1
    return n


def is_legal(board, state, scratch, action):
    """Whether the point is empty."""
    return state.stones[action] == EMPTY


def sample(board, state, scratch, rng):
    """An empty point."""
    return int(state.empties[below(rng, state.empty_count)])


def play(board, state, scratch, action):
    """Put a stone, fill the rings it closes (RULES R3), pass the turn on after the last stone (R1)."""
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
    """Stones on the board (RULES R5)."""
    out[0] = state.counts[0]
    out[1] = state.counts[1]


def _put(state, point, player):
    state.stones[point] = player
    state.counts[player] += 1
    state.empty_count = take_out(state.empties, state.place_in_empties, state.empty_count, point)


def _may_close_ring(board, state, point):
    """Join the groups round a new stone; whether two of its arms were one group already."""
    mover = state.stones[point]
    mask = 0
    for k in range(8):
        if state.stones[board.around[point, k]] == mover:
            mask |= 1 << k
    if mask == 0:
        return False
    if board.arms[mask] < 2:
        return _join_one_arm(board, state, point, mask)
    return _join_arms(board, state, point, mask)


def _join_one_arm(board, state, point, mask):
    k = 0
    while not (mask >> k) & 1:
        k += 1
    mover = state.stones[point]
    state.rin_links[mover, point] = _group(state, mover, board.around[point, k])
    return False


def _join_arms(board, state, point, mask):
    """As `_may_close_ring`, for two arms or more: each arm is walked from the gap before it."""
    mover = state.stones[point]
    start = 0
    while (mask >> start) & 1:  # some orthogonal neighbour is a gap, or there would be one arm
        start += 2
    closes = False
    in_arm = False
    for step in range(8):
        k = (start + step) & 7
        if (mask >> k) & 1:
            if not in_arm:
                in_arm = True
                root = _group(state, mover, board.around[point, k])
                if root == _group(state, mover, point):
                    closes = True
                state.rin_links[mover, _group(state, mover, point)] = root
        elif (k & 1) == 0:
            in_arm = False
    return closes


def _join_around(board, state, point):
    mover = state.stones[point]
    root = _group(state, mover, point)
    for k in range(8):
        beside = board.around[point, k]
        if state.stones[beside] == mover:
            other = _group(state, mover, beside)
            if other != root:
                state.rin_links[mover, other] = root


def _group(state, player, point):
    """The representative of a point's group, halving the way there."""
    while state.rin_links[player, point] != point:
        above = state.rin_links[player, state.rin_links[player, point]]
        state.rin_links[player, point] = above
        point = above
    return int(point)


def _fill_rings_around(board, state, scratch, point):
    """Fill what is shut off beside a new stone; several rings may have closed at once."""
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
    """Fill the region round a point if it is a ring's inside and no flood of this action was there."""
    if state.stones[start] == mover or scratch.seen[start] >= first_flood:
        return
    scratch.floods += 1
    size = _enclosed(board, state, scratch, start, mover, first_flood)
    for i in range(size):
        _take(state, scratch.region[i], mover)
    for i in range(size):
        _join_around(board, state, scratch.region[i])


def _enclosed(board, state, scratch, start, mover, first_flood):
    """The size of the region of points without a mover's stone round `start`, left in
    `scratch.region`; 0 if it reaches the safe zone, or a region that did in this same action."""
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
    """Turn an enclosed point, empty or the enemy's, into the mover's stone."""
    if state.stones[point] == EMPTY:
        _put(state, point, mover)
    else:
        state.stones[point] = mover
        state.counts[mover] += 1
        state.counts[1 - mover] -= 1
