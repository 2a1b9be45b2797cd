"""Ren's rules (RULES N1-N12), by Aristides Mytaras, 2005-2006.

Each colour keeps its stones as one bit mask a row and one a column. Shifted to the square just played,
a mask shows the run through it, three masks show the boxes of four round it, and five show every
enemy stone that it may have surrounded, so that an action needs no loop unless it scores or captures.
"""

from functools import cache

import numpy as np

from kakomi.boards import Geometry
from kakomi.kernel import below
from kakomi.kernel.contract import EMPTY
from kakomi.kernel.pool import put_in, take_out

MAX_SIZE = 12
MAX_POINTS = MAX_SIZE * MAX_SIZE
LONGEST_SCORED = 6  # longest run that scores; a run's window shows as many squares on either side
PADDING = 2  # rows of a mask beyond either edge, so that five rows round any square exist
NOWHERE = -1
NINE_BOX = -1

WINDOW = (1 << (2 * LONGEST_SCORED + 1)) - 1

BOARD = np.dtype(
    [
        ("players", np.int64),
        ("points", np.int64),
        ("actions", np.int64),
        ("rui_limit", np.int64),
        ("lead", np.int64),
        ("row_of", np.int64, MAX_POINTS),
        ("column_of", np.int64, MAX_POINTS),
        ("around", np.int16, (MAX_POINTS, 8)),  # ascending, NOWHERE beyond the edge
        ("outside", np.int32, MAX_SIZE + 2 * PADDING),  # row masks of all that is beyond the edge
        ("run_points", np.int8, WINDOW + 1),  # RULES N2, by the window of own stones round a stone
    ],
    align=True,
)
STATE = np.dtype(
    [
        ("ren_rows", np.int32, (2, MAX_SIZE + 2 * PADDING)),  # the bit of column c is c + LONGEST_SCORED
        ("ren_columns", np.int32, (2, MAX_SIZE)),  # the bit of row r is r + LONGEST_SCORED
        ("points", np.int32, 2),
        ("empty_count", np.int16),
        ("rui_count", np.int16),
        ("rui", np.int16, 8),  # squares that may be replaced now, ascending, then NOWHERE
        ("niban", np.int16),  # put by the last action, or NOWHERE; told to players, no part of the position
        ("to_move", np.int8),
        ("replacements", np.int8),  # in succession, whoever made them (RULES N6)
        ("passes", np.int8),  # in succession
        ("nine_box", np.int8),  # whether one has ended the game (RULES N4)
        ("stones", np.int8, MAX_POINTS),
        ("empties", np.uint8, MAX_POINTS),
        ("place_in_empties", np.uint8, MAX_POINTS),
    ],
    align=True,
)
IDENTITY = ("stones", "to_move", "points", "rui", "replacements", "passes", "nine_box")
SCRATCH = np.dtype([("actions", np.int16, MAX_POINTS + 1)], align=True)


def build_board(geometry: Geometry, rui_limit: int, lead: int) -> np.ndarray:
    """The geometry and the options as a record for the rules; `lead` 0 means that no lead wins."""
    board = np.zeros(1, BOARD)
    record = board[0]
    size = geometry.size
    record["players"], record["points"], record["actions"] = 2, geometry.points, geometry.points + 1
    record["rui_limit"], record["lead"] = rui_limit, lead
    record["around"] = NOWHERE
    for point in range(geometry.points):
        row, column = divmod(point, size)
        record["row_of"][point], record["column_of"][point] = row, column
        for k, (up, right) in enumerate(_EIGHT_AROUND):
            if 0 <= row + up < size and 0 <= column + right < size:
                record["around"][point, k] = (row + up) * size + column + right
    everywhere = (1 << (MAX_SIZE + 2 * LONGEST_SCORED)) - 1
    record["outside"] = everywhere
    record["outside"][PADDING : PADDING + size] = everywhere ^ (((1 << size) - 1) << LONGEST_SCORED)
    record["run_points"] = _run_table()
    return board


_EIGHT_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


@cache
def _run_table() -> list[int]:
    return [_run_points(window) for window in range(WINDOW + 1)]


def _run_points(window: int) -> int:
    """RULES N2: what the run through the middle of a window scores."""
    return {4: 1, 6: 2}.get(run_length(window), 0)


def run_length(window):
    """How long the run through the middle of a window is; the longest fill the window."""
    length = 1
    for step in (-1, 1):
        at = LONGEST_SCORED + step
        while at >= 0 and window >> at & 1:
            length += 1
            at += step
    return length


def reset(board, state):
    """The empty board, Black to move."""
    for player in range(2):
        state.points[player] = 0
        for row in range(MAX_SIZE + 2 * PADDING):
            state.ren_rows[player, row] = 0
        for column in range(MAX_SIZE):
            state.ren_columns[player, column] = 0
    for point in range(MAX_POINTS):
        state.stones[point] = EMPTY
        state.empties[point] = point
        state.place_in_empties[point] = point
    state.empty_count = board.points
    _clear_rui(state)
    state.niban = NOWHERE
    state.to_move = 0
    state.replacements = 0
    state.passes = 0
    state.nine_box = 0


def restore(board, state, scratch):
    """The masks and lists, from the identity fields."""
    for player in range(2):
        for row in range(MAX_SIZE + 2 * PADDING):
            state.ren_rows[player, row] = 0
        for column in range(MAX_SIZE):
            state.ren_columns[player, column] = 0
    state.empty_count = 0
    for point in range(board.points):
        if state.stones[point] == EMPTY:
            _add_empty(state, point)
        else:
            _flip(board, state, point, state.stones[point])
    state.rui_count = 0
    for k in range(8):
        if state.rui[k] != NOWHERE:
            state.rui_count += 1
    state.niban = NOWHERE


def legal(board, state, scratch):
    """Every empty square, every stone that may be replaced, and to pass (RULES N1)."""
    n = 0
    for point in range(board.points):
        if is_legal(board, state, scratch, point):
            scratch.actions[n] = point
            n += 1
    scratch.actions[n] = board.points
    return n + 1


def is_legal(board, state, scratch, action):
    """Whether it is to pass, or the square is empty or its stone may be replaced."""
    if action == board.points or state.stones[action] == EMPTY:
        return True
    for k in range(state.rui_count):
        if state.rui[k] == action:
            return True
    return False


def sample(board, state, scratch, rng):
    """Any legal action, drawn by its place among empty squares, weak stones and the pass."""
    n = below(rng, int(state.empty_count) + int(state.rui_count) + 1)
    if n < state.empty_count:
        return int(state.empties[n])
    n -= int(state.empty_count)
    if n < state.rui_count:
        return int(state.rui[n])
    return int(board.points)


def play(board, state, scratch, action):
    """Pass, or put a stone, capture with it and score it (RULES N1-N9)."""
    mover = int(state.to_move)
    state.to_move = 1 - mover
    state.niban = NOWHERE
    if state.rui_count > 0:
        _clear_rui(state)
    if action == board.points:
        state.passes += 1
        return
    state.passes = 0
    if state.stones[action] == EMPTY:
        state.replacements = 0
        _put(board, state, action, mover)
        if surrounds(board, state, action, mover):
            _capture(board, state, action, mover)
    else:
        state.replacements += 1
        _flip(board, state, action, 1 - mover)
        _flip(board, state, action, mover)
        state.stones[action] = mover
    _score(board, state, action, mover)


def over(board, state):
    """Two passes, a nine-box, a full board (RULES N10) or the lead that was agreed on."""
    if state.empty_count == 0 or state.passes == 2 or state.nine_box:
        return True
    return board.lead > 0 and abs(state.points[0] - state.points[1]) >= board.lead


def scores(board, state, out):
    """The points so far."""
    out[0] = state.points[0]
    out[1] = state.points[1]


def _flip(board, state, point, player):
    """Add a stone to a colour's masks, or take it out."""
    row = board.row_of[point]
    column = board.column_of[point]
    state.ren_rows[player, row + PADDING] ^= 1 << (column + LONGEST_SCORED)
    state.ren_columns[player, column] ^= 1 << (row + LONGEST_SCORED)


def _put(board, state, point, player):
    """A stone on an empty square."""
    _flip(board, state, point, player)
    state.stones[point] = player
    state.empty_count = take_out(state.empties, state.place_in_empties, state.empty_count, point)


def _take_off(board, state, point):
    _flip(board, state, point, state.stones[point])
    state.stones[point] = EMPTY
    _add_empty(state, point)


def _add_empty(state, point):
    state.empty_count = put_in(state.empties, state.place_in_empties, state.empty_count, point)


def _clear_rui(state):
    state.rui_count = 0
    for k in range(8):
        state.rui[k] = NOWHERE


def surrounds(board, state, point, mover):
    """Whether some enemy stone beside a new stone has nothing but the mover's stones and the edge on
    its four sides (RULES N7)."""
    row = board.row_of[point]
    own = state.ren_rows[mover]
    enemy = state.ren_rows[1 - mover]
    lowest = own[row] | board.outside[row]
    lower = own[row + 1] | board.outside[row + 1]
    middle = own[row + 2] | board.outside[row + 2]
    upper = own[row + 3] | board.outside[row + 3]
    highest = own[row + 4] | board.outside[row + 4]
    here = 1 << (board.column_of[point] + LONGEST_SCORED)
    below_it = enemy[row + 1] & here & lowest & middle & (lower << 1) & (lower >> 1)
    beside_it = enemy[row + 2] & (here << 1 | here >> 1) & lower & upper & (middle << 1) & (middle >> 1)
    above_it = enemy[row + 3] & here & middle & highest & (upper << 1) & (upper >> 1)
    return (below_it | beside_it | above_it) != 0


def _capture(board, state, point, mover):
    """Remove what a new stone surrounds, and put the niban if the stone is then in atari (RULES N8)."""
    captured = NOWHERE
    for k in _ORTHOGONAL:
        beside = board.around[point, k]
        if beside == NOWHERE or state.stones[beside] != 1 - mover:
            continue
        if _closed_sides(board, state, beside, mover) == 4:
            captured = int(beside)
            _take_off(board, state, captured)
    if _closed_sides(board, state, point, 1 - mover) == 3:
        _put(board, state, captured, mover)
        state.niban = captured


_ORTHOGONAL = (1, 3, 4, 6)  # places in `around`


def _closed_sides(board, state, point, by):
    """How many sides of a square hold a stone of a player or are the edge."""
    closed = 0
    for k in _ORTHOGONAL:
        beside = board.around[point, k]
        if beside == NOWHERE or state.stones[beside] == by:
            closed += 1
    return closed


def _score(board, state, point, mover):
    """Score the groups that a new stone completes, and make its neighbours weak (RULES N2-N5)."""
    points = completed(board, state, point, mover)
    if points == NINE_BOX:
        _win_by_nine_box(state, mover)
    elif points > 0:
        state.points[mover] += points
        if state.replacements < board.rui_limit:
            _weaken_around(board, state, point, mover)


def completed(board, state, point, mover):
    """The points for the groups of a player's stone (RULES N2, N3, N9), or `NINE_BOX`.

    Its bit must be set in the row masks; the other masks may lack it.
    """
    row = board.row_of[point]
    column = board.column_of[point]
    points = int(board.run_points[(state.ren_rows[mover, row + PADDING] >> column) & WINDOW])
    points += int(board.run_points[(state.ren_columns[mover, column] >> row) & WINDOW])
    if _in_four_box(state, row, column, mover):
        if _in_nine_box(state, row, column, mover):
            return NINE_BOX
        points += _box_points(state, row, column, mover)
    return points


def _in_four_box(state, row, column, mover):
    """Whether a square is in a 2x2 box of the mover's stones."""
    shift = column + LONGEST_SCORED - 1  # the bits of the columns beside become 0 and 2
    lower = state.ren_rows[mover, row + 1] >> shift
    middle = state.ren_rows[mover, row + 2] >> shift
    upper = state.ren_rows[mover, row + 3] >> shift
    with_lower = lower & middle
    with_upper = middle & upper
    return ((with_lower & (with_lower >> 1)) | (with_upper & (with_upper >> 1))) & 3 != 0


def _two_high(state, row, column, mover, down):
    """Bits 0-4: in which of the five columns round a square both rows from `row - down` up are full."""
    lower = state.ren_rows[mover, row + 2 - down]
    upper = state.ren_rows[mover, row + 3 - down]
    return ((lower & upper) >> (column + LONGEST_SCORED - 2)) & 31


def _three_high(state, row, column, mover, down):
    """As `_two_high`, for three rows."""
    below_it = _two_high(state, row, column, mover, down)
    return below_it & _two_high(state, row, column, mover, down - 1)


def _in_nine_box(state, row, column, mover):
    """RULES N4."""
    for down in range(3):
        columns = _three_high(state, row, column, mover, down)
        if columns & (columns >> 1) & (columns >> 2):
            return True
    return False


def _box_points(state, row, column, mover):
    """RULES N3: 2 points a six-box, 1 a four-box that lies in none of them."""
    points = 0
    for down in range(3):
        points += 2 * BITS[_tall_sixes(state, row, column, mover, down)]
    for down in range(2):
        pairs = _two_high(state, row, column, mover, down)
        wide_sixes = pairs & (pairs >> 1) & (pairs >> 2)
        in_sixes = wide_sixes | (wide_sixes << 1)
        in_sixes |= _tall_sixes(state, row, column, mover, down)
        in_sixes |= _tall_sixes(state, row, column, mover, down + 1)
        fours = pairs & (pairs >> 1) & _BESIDE_MIDDLE & ~in_sixes
        points += 2 * BITS[wide_sixes] + BITS[fours]
    return points


BITS = (0, 1, 1, 2, 1, 2, 2, 3)  # how many are set in a number below 8
_BESIDE_MIDDLE = 0b110  # left columns of the boxes two wide that hold the middle one of five columns


def _tall_sixes(state, row, column, mover, down):
    """Left columns of the full boxes two wide and three high that start `down` rows below."""
    columns = _three_high(state, row, column, mover, down)
    return columns & (columns >> 1) & _BESIDE_MIDDLE


def _win_by_nine_box(state, mover):
    """RULES N4: who is behind swaps the scores first; 10 points, and nothing else is scored."""
    own = state.points[mover]
    others = state.points[1 - mover]
    if own < others:
        state.points[mover] = others
        state.points[1 - mover] = own
    state.points[mover] += 10
    state.nine_box = 1


def _weaken_around(board, state, point, mover):
    """RULES N5: the mover's stones round a scoring one, but for its niban, may be replaced next."""
    for k in range(8):
        beside = board.around[point, k]
        if beside != NOWHERE and beside != state.niban and state.stones[beside] == mover:
            state.rui[state.rui_count] = beside
            state.rui_count += 1
