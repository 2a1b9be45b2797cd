"""Lin's rules (RULES L1-L6), by Luis Bolaños Mures, 2016.

A placement never changes its own colour's domains. It takes one point from an enemy domain. Only if that
domain was alive, which means on a contested point, can it cut off dead pieces. A dead piece borders on the
mover's stones, which are alive (RULES L6): its stones are removed, its points become the mover's alone, and
nothing else changes. A piece is alive if any of its points is in a line. Bit masks of rows and columns tell
whether a point is; a flood fill from beside the new stone looks for such a point.
"""

import numpy as np

from kakomi.boards import ORTHOGONAL, Geometry
from kakomi.core.option import Options
from kakomi.kernel import below
from kakomi.kernel.pool import put_in, take_out
from kakomi.kernel.records import EMPTY, board_record, scratch_record, state_record

MAX_SIZE = 19
MAX_POINTS = MAX_SIZE * MAX_SIZE
OUTSIDE = MAX_POINTS  # one point for everything beyond the edge
CLOSED = -1  # the value of `place_in_open` for a point that is not open to a player

BOARD = board_record(
    ("side", np.int64),
    ("komi", np.int64),
    ("first_shift", np.int64),  # how far to shift masks of free points to find lines, see `_lines`
    ("second_shift", np.int64),
    ("row", np.uint8, MAX_POINTS),
    ("column", np.uint8, MAX_POINTS),
    ("beside", np.uint16, (MAX_POINTS, 4)),  # orthogonal neighbours, OUTSIDE beyond the edge
)
STATE = state_record(
    MAX_POINTS,
    ("counts", np.int16, 2),
    # for each player, the empty points of their living domains
    ("open", np.uint16, (2, MAX_POINTS)),
    ("open_count", np.int16, 2),
    ("place_in_open", np.int16, (2, MAX_POINTS)),
    # for each player and row or column, a bit per point: free of enemy stones; in a line of free points
    ("free_in_row", np.int32, (2, MAX_SIZE)),
    ("free_in_column", np.int32, (2, MAX_SIZE)),
    ("lin_in_row", np.int32, (2, MAX_SIZE)),
    ("lin_in_column", np.int32, (2, MAX_SIZE)),
)
IDENTITY = ("stones", "to_move")
SCRATCH = scratch_record(
    MAX_POINTS,
    ("piece", np.uint16, MAX_POINTS),
    ("seen", np.int64, MAX_POINTS + 1),  # the number of the last flood that reached the point
    ("floods", np.int64),
)


def build_board(board: np.void, geometry: Geometry, options: Options) -> None:
    """Fill in rows, columns and neighbours, and the line length (3 to 6) as shifts."""
    line, points = options["line"], slice(geometry.points)
    board["side"] = geometry.size
    board["komi"] = options["komi"]
    board["first_shift"] = min(2, line - 2)
    board["second_shift"] = line - 2 - min(2, line - 2)
    board["row"][points], board["column"][points] = zip(*geometry.grid, strict=True)
    board["beside"][points] = geometry.around(ORTHOGONAL, OUTSIDE)


def reset(board, state):
    """Set up the empty board, with every point open to both (RULES L1)."""
    for point in range(MAX_POINTS):
        state.stones[point] = EMPTY
    state.to_move = 0
    _clear(board, state)
    for player in range(2):
        state.open_count[player] = board.points
        for point in range(board.points):
            state.open[player, point] = point
            state.place_in_open[player, point] = point


def restore(board, state, scratch):
    """Compute the helper fields from the stones.

    Play never leaves a stone in a dead domain, but a position arranged by hand can. Removes such stones,
    those of the player to act first, as the previous placement would have done.
    """
    _clear(board, state)
    for point in range(board.points):
        player = state.stones[point]
        if player != EMPTY:
            state.counts[player] += 1
            _block(board, state, 1 - player, point)
    mover = int(state.to_move)
    _find_living(board, state, scratch, mover)
    _find_living(board, state, scratch, 1 - mover)
    _find_living(board, state, scratch, mover)  # again: they may have grown


def is_legal(board, state, scratch, action):
    """Whether the point is empty and in a living domain of the mover (RULES L3)."""
    return state.place_in_open[state.to_move, action] != CLOSED


def sample(board, state, scratch, rng):
    """Draw an empty point of the mover's living domains."""
    mover = state.to_move
    return int(state.open[mover, below(rng, state.open_count[mover])])


def play(board, state, scratch, action):
    """Place a stone and take the pieces that it cuts off from every line (RULES L3)."""
    mover = int(state.to_move)
    enemy = 1 - mover
    contested = state.place_in_open[enemy, action] != CLOSED
    _put(board, state, action, mover)
    if contested:
        _close(state, enemy, action)
        _take_dead_pieces(board, state, scratch, action)
    state.to_move = enemy


def over(board, state):
    """Whether no point is in living domains of both colours (RULES L4); occupied points never are."""
    stones = state.counts[0] + state.counts[1]
    return state.open_count[0] + state.open_count[1] + stones == board.points


def scores(board, state, out):
    """Count points in living domains, contested ones for both, and add komi for White (RULES L4)."""
    out[0] = state.counts[0] + state.open_count[0]
    out[1] = state.counts[1] + state.open_count[1] + board.komi


def owner(board, state, point):
    """Return the only player in whose living domains a point is, with or without a stone; else `EMPTY`."""
    if state.stones[point] != EMPTY:
        return int(state.stones[point])
    if state.place_in_open[0, point] == CLOSED:
        return 1
    return 0 if state.place_in_open[1, point] == CLOSED else EMPTY


def _clear(board, state):
    everywhere = (1 << board.side) - 1
    for player in range(2):
        state.counts[player] = 0
        for i in range(board.side):
            state.free_in_row[player, i] = everywhere
            state.free_in_column[player, i] = everywhere
            state.lin_in_row[player, i] = everywhere
            state.lin_in_column[player, i] = everywhere


def _find_living(board, state, scratch, player):
    """List the points open to a player by a flood from all lines; remove the stones that it misses."""
    scratch.floods += 1
    scratch.seen[OUTSIDE] = scratch.floods
    size = 0
    for point in range(board.points):
        state.place_in_open[player, point] = CLOSED
        if in_line(board, state, player, point):
            scratch.seen[point] = scratch.floods
            scratch.piece[size] = point
            size += 1
    state.open_count[player] = 0
    done = 0
    while done < size:
        point = scratch.piece[done]
        done += 1
        if state.stones[point] == EMPTY:
            _open(state, player, point)
        for k in range(4):
            beside = board.beside[point, k]
            if scratch.seen[beside] != scratch.floods and state.stones[beside] != 1 - player:
                scratch.seen[beside] = scratch.floods
                scratch.piece[size] = beside
                size += 1
    for point in range(board.points):
        if state.stones[point] == player and scratch.seen[point] != scratch.floods:
            _remove(board, state, point)


def _put(board, state, point, player):
    _close(state, player, point)
    state.stones[point] = player
    state.counts[player] += 1
    _block(board, state, 1 - player, point)


def _remove(board, state, point):
    player = int(state.stones[point])
    state.stones[point] = EMPTY
    state.counts[player] -= 1
    _block(board, state, 1 - player, point)


def _block(board, state, player, point):
    """Update the player's lines through a point where an enemy stone was placed or removed."""
    row = int(board.row[point])
    column = int(board.column[point])
    state.free_in_row[player, row] ^= 1 << column
    state.free_in_column[player, column] ^= 1 << row
    state.lin_in_row[player, row] = _lines(board, state.free_in_row[player, row])
    state.lin_in_column[player, column] = _lines(board, state.free_in_column[player, column])


def _open(state, player, point):
    state.open_count[player] = put_in(
        state.open[player], state.place_in_open[player], state.open_count[player], point
    )


def _close(state, player, point):
    state.open_count[player] = take_out(
        state.open[player], state.place_in_open[player], state.open_count[player], point
    )
    state.place_in_open[player, point] = CLOSED


def _lines(board, free):
    """Return the points of a row or column in runs of free points of at least the line length.

    Three shifts to the right, by one and by the board's two, leave the bits where a line starts: first of
    free pairs, then of overlapping or adjacent pairs of those, and so on. Shifts to the left restore its
    points.
    """
    starts = free & (free >> 1)
    starts &= starts >> board.first_shift
    starts &= starts >> board.second_shift
    points = starts | (starts << board.second_shift)
    points |= points << board.first_shift
    return points | (points << 1)


def in_line(board, state, player, point):
    """Return 1 if a point is in a line without enemy stones, else 0."""
    row = int(board.row[point])
    column = int(board.column[point])
    return (state.lin_in_row[player, row] >> column | state.lin_in_column[player, column] >> row) & 1


def _take_dead_pieces(board, state, scratch, point):
    """Take the pieces that a new stone has cut off from every line."""
    mover = int(state.stones[point])
    first_flood = scratch.floods + 1
    for k in range(4):
        start = board.beside[point, k]
        if (
            start != OUTSIDE
            and state.stones[start] != mover
            and not in_line(board, state, 1 - mover, start)
            and scratch.seen[start] < first_flood
        ):
            scratch.floods += 1
            size = _dead_piece(board, state, scratch, start, mover, first_flood)
            for i in range(size):
                _take(board, state, scratch.piece[i], mover)


def _dead_piece(board, state, scratch, start, mover, first_flood):
    """Write the piece round `start` without stones of the mover into `scratch.piece` and return its size; 0
    if it is alive, as it reaches a line or a piece that this action found alive."""
    flood = scratch.floods
    scratch.seen[OUTSIDE] = flood
    scratch.seen[start] = flood
    scratch.piece[0] = start
    size = 1
    done = 0
    while done < size:
        point = scratch.piece[done]
        done += 1
        for k in range(4):
            beside = board.beside[point, k]
            if scratch.seen[beside] == flood or state.stones[beside] == mover:
                continue
            if scratch.seen[beside] >= first_flood or in_line(board, state, 1 - mover, beside):
                return 0
            scratch.seen[beside] = flood
            scratch.piece[size] = beside
            size += 1
    return size


def _take(board, state, point, mover):
    """Make a point of a dead piece the mover's alone."""
    if state.stones[point] == EMPTY:
        _close(state, 1 - mover, point)
    else:
        _remove(board, state, point)
    if state.place_in_open[mover, point] == CLOSED:
        _open(state, mover, point)
