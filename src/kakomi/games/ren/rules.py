"""Ren's rules (RULES N1-N12), by Aristides Mytaras, 2005-2006.

Each colour has one bit mask per row and per column. Shifted to the square just played, one mask shows the
run through it, three show the boxes of four round it, and five show every enemy stone that it may have
surrounded. So an action needs no loop unless it scores or captures.
"""

from functools import cache

import numpy as np

from kakomi.boards import Geometry
from kakomi.core.option import Options
from kakomi.kernel import below
from kakomi.kernel.records import (
    EMPTY,
    board_record,
    clear_stones,
    empty_fields,
    lift_stone,
    list_empties,
    put_stone,
    scratch_record,
    state_record,
)

MAX_SIZE = 12
MAX_POINTS = MAX_SIZE * MAX_SIZE
LONGEST_SCORED = 6  # longest run that scores; a window shows as many squares on either side
PADDING = 2  # rows of masks beyond either edge, so that five rows round any square exist
OUTSIDE = MAX_POINTS  # one point for everything beyond the edge
NOWHERE = -1
NINE_BOX = -1

WINDOW = (1 << (2 * LONGEST_SCORED + 1)) - 1

BOARD = board_record(
    ("rui_limit", np.int64),
    ("lead", np.int64),  # 0: no lead wins at once
    ("row_of", np.uint8, MAX_POINTS),
    ("column_of", np.uint8, MAX_POINTS),
    ("around", np.uint16, (MAX_POINTS, 8)),  # ascending, OUTSIDE beyond the edge
    ("outside", np.int32, MAX_SIZE + 2 * PADDING),  # row masks of everything beyond the edge
    ("run_points", np.int8, WINDOW + 1),  # RULES N2, by the window of own stones round a new one
)
STATE = state_record(
    MAX_POINTS,
    ("points", np.int32, 2),
    ("rui_count", np.int16),
    ("rui", np.int16, 8),  # squares that may be replaced now, ascending, then NOWHERE
    ("niban", np.int16),  # of the last action, or NOWHERE; shown to players, no part of the position
    ("replacements", np.int8),  # in succession, by both players (RULES N6)
    ("passes", np.int8),  # in succession
    ("nine_box", np.int8),  # whether one has ended the game (RULES N4)
    *empty_fields(MAX_POINTS),
    ("ren_rows", np.int32, (2, MAX_SIZE + 2 * PADDING)),  # the bit of column c is c + LONGEST_SCORED
    ("ren_columns", np.int32, (2, MAX_SIZE)),  # the bit of row r is r + LONGEST_SCORED
)
IDENTITY = ("stones", "to_move", "points", "rui", "replacements", "passes", "nine_box")
RANGES = {  # the rules keep to these (RULES N4, N6, N10)
    "points": range(2**30 + 1),  # half of what the field can hold; play never reaches the rest
    "replacements": lambda game: range(game.options["rui_limit"] + 1),
    "passes": range(3),
    "nine_box": range(2),
}
SCRATCH = scratch_record(MAX_POINTS + 1)

_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
_ORTHOGONAL = (1, 3, 4, 6)  # indices in `around`


def build_board(board: np.void, geometry: Geometry, options: Options) -> None:
    """Fill in the options, rows and columns, neighbours, and what is beyond the edge."""
    size, points = geometry.size, slice(geometry.points)
    board["rui_limit"], board["lead"] = options["rui_limit"], options["lead"]
    board["row_of"][points], board["column_of"][points] = zip(*geometry.grid, strict=True)
    board["around"][points] = geometry.around(_AROUND, OUTSIDE)
    everywhere = (1 << (MAX_SIZE + 2 * LONGEST_SCORED)) - 1
    board["outside"] = everywhere
    board["outside"][PADDING : PADDING + size] = everywhere ^ (((1 << size) - 1) << LONGEST_SCORED)
    board["run_points"] = _run_table()


@cache
def _run_table() -> list[int]:
    return [_run_points(window) for window in range(WINDOW + 1)]


def _run_points(window: int) -> int:
    """Return what the run through the middle of a window scores (RULES N2)."""
    return {4: 1, 6: 2}.get(run_length(window), 0)


def run_length(window):
    """Return the length of the run through the middle of a window, at most the window's."""
    length = 1
    for step in (-1, 1):
        at = LONGEST_SCORED + step
        while at >= 0 and window >> at & 1:
            length += 1
            at += step
    return length


def reset(board, state):
    """Set up the empty board, Black to move."""
    clear_stones(board, state)
    _clear_masks(state)
    _clear_rui(state)
    state.points[0] = 0
    state.points[1] = 0
    state.niban = NOWHERE
    state.to_move = 0
    state.replacements = 0
    state.passes = 0
    state.nine_box = 0


def restore(board, state, scratch):
    """Compute the masks and lists from the identity fields."""
    list_empties(board, state)
    _clear_masks(state)
    for point in range(board.points):
        if state.stones[point] != EMPTY:
            _flip(board, state, point, state.stones[point])
    state.rui_count = 0
    for k in range(8):
        if state.rui[k] != NOWHERE:
            state.rui_count += 1
    state.niban = NOWHERE


def _clear_masks(state):
    for player in range(2):
        for row in range(MAX_SIZE + 2 * PADDING):
            state.ren_rows[player, row] = 0
        for column in range(MAX_SIZE):
            state.ren_columns[player, column] = 0


def is_legal(board, state, scratch, action):
    """Whether the action is a pass, or the square is empty or its stone replaceable (RULES N1)."""
    if action == board.points or state.stones[action] == EMPTY:
        return True
    for k in range(state.rui_count):
        if state.rui[k] == action:
            return True
    return False


def sample(board, state, scratch, rng):
    """Draw an empty square, a weak stone or the pass."""
    n = below(rng, int(state.empty_count) + int(state.rui_count) + 1)
    if n < state.empty_count:
        return int(state.empties[n])
    n -= int(state.empty_count)
    if n < state.rui_count:
        return int(state.rui[n])
    return int(board.points)


def play(board, state, scratch, action):
    """Pass, or place a stone, capture with it and score it (RULES N1-N9)."""
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
    """Whether two passes, a nine-box, a full board or the agreed lead ended the game (RULES N10)."""
    if state.empty_count == 0 or state.passes == 2 or state.nine_box:
        return True
    return board.lead > 0 and abs(state.points[0] - state.points[1]) >= board.lead


def scores(board, state, out):
    """Copy the points so far."""
    out[0] = state.points[0]
    out[1] = state.points[1]


def _flip(board, state, point, player):
    """Add a stone to a colour's masks, or take it out."""
    row = int(board.row_of[point])
    column = int(board.column_of[point])
    state.ren_rows[player, row + PADDING] ^= 1 << (column + LONGEST_SCORED)
    state.ren_columns[player, column] ^= 1 << (row + LONGEST_SCORED)


def _put(board, state, point, player):
    """Place a stone on an empty square."""
    _flip(board, state, point, player)
    put_stone(state, point, player)


def _take_off(board, state, point):
    _flip(board, state, point, state.stones[point])
    lift_stone(state, point)


def _clear_rui(state):
    state.rui_count = 0
    for k in range(8):
        state.rui[k] = NOWHERE


def surrounds(board, state, point, mover):
    """Whether an enemy stone beside a new stone has only the mover's stones and the edge on its four sides
    (RULES N7)."""
    row = int(board.row_of[point])
    own = state.ren_rows[mover]
    enemy = state.ren_rows[1 - mover]
    lowest = own[row] | board.outside[row]
    lower = own[row + 1] | board.outside[row + 1]
    middle = own[row + 2] | board.outside[row + 2]
    upper = own[row + 3] | board.outside[row + 3]
    highest = own[row + 4] | board.outside[row + 4]
    here = 1 << (int(board.column_of[point]) + LONGEST_SCORED)
    below_it = enemy[row + 1] & here & lowest & middle & (lower << 1) & (lower >> 1)
    beside_it = enemy[row + 2] & (here << 1 | here >> 1) & lower & upper & (middle << 1) & (middle >> 1)
    above_it = enemy[row + 3] & here & middle & highest & (upper << 1) & (upper >> 1)
    return (below_it | beside_it | above_it) != 0


def _capture(board, state, point, mover):
    """Remove the stones that a new one surrounds, and place the niban if it is then in atari (RULES N8)."""
    captured = NOWHERE
    for k in _ORTHOGONAL:
        beside = board.around[point, k]
        if beside == OUTSIDE or state.stones[beside] != 1 - mover:
            continue
        if _closed_sides(board, state, beside, mover) == 4:
            captured = int(beside)
            _take_off(board, state, captured)
    if _closed_sides(board, state, point, 1 - mover) == 3:
        _put(board, state, captured, mover)
        state.niban = captured


def _closed_sides(board, state, point, by):
    """Count the sides of a square that hold a stone of a player or are the edge."""
    closed = 0
    for k in _ORTHOGONAL:
        beside = board.around[point, k]
        if beside == OUTSIDE or state.stones[beside] == by:
            closed += 1
    return closed


def _score(board, state, point, mover):
    """Score the groups that a new stone completes, and weaken its neighbours (RULES N2-N6)."""
    points = completed(board, state, point, mover)
    if points == NINE_BOX:
        _win_by_nine_box(state, mover)
    elif points > 0:
        state.points[mover] += points
        if state.replacements < board.rui_limit:
            _weaken_around(board, state, point, mover)


def completed(board, state, point, mover):
    """Return the points for the groups of a player's stone (RULES N2, N3, N9), or `NINE_BOX`.

    The row masks must hold the stone; the column masks may lack it.
    """
    row = int(board.row_of[point])
    column = int(board.column_of[point])
    points = int(board.run_points[(state.ren_rows[mover, row + PADDING] >> column) & WINDOW])
    points += int(board.run_points[(state.ren_columns[mover, column] >> row) & WINDOW])
    if in_four_box(state, row, column, mover):
        if _in_nine_box(state, row, column, mover):
            return NINE_BOX
        points += _box_points(state, row, column, mover)
    return points


def in_four_box(state, row, column, mover):
    """Whether a square is in a 2x2 box of the mover's stones."""
    shift = column + LONGEST_SCORED - 1  # the adjacent columns become bits 0 and 2
    lower = state.ren_rows[mover, row + 1] >> shift
    middle = state.ren_rows[mover, row + 2] >> shift
    upper = state.ren_rows[mover, row + 3] >> shift
    with_lower = lower & middle
    with_upper = middle & upper
    return ((with_lower & (with_lower >> 1)) | (with_upper & (with_upper >> 1))) & 3 != 0


def _two_high(state, row, column, mover, down):
    """Return as bits which of the five columns round a square are full in two rows from `row - down` up."""
    lower = state.ren_rows[mover, row + 2 - down]
    upper = state.ren_rows[mover, row + 3 - down]
    return ((lower & upper) >> (column + LONGEST_SCORED - 2)) & 31


def _three_high(state, row, column, mover, down):
    """Like `_two_high`, for three rows."""
    below_it = _two_high(state, row, column, mover, down)
    return below_it & _two_high(state, row, column, mover, down - 1)


def _in_nine_box(state, row, column, mover):
    """Whether a square is in a 3x3 box of the mover's stones (RULES N4)."""
    for down in range(3):
        columns = _three_high(state, row, column, mover, down)
        if columns & (columns >> 1) & (columns >> 2):
            return True
    return False


def _box_points(state, row, column, mover):
    """Return 2 points per six-box, and 1 per four-box that is in none of them (RULES N3)."""
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


BITS = (0, 1, 1, 2, 1, 2, 2, 3)  # the number of bits set in 0 to 7
_BESIDE_MIDDLE = 0b110  # left columns of two-wide boxes that contain the middle of five columns


def _tall_sixes(state, row, column, mover, down):
    """Return the left columns of full boxes, two wide and three high, that start `down` rows below."""
    columns = _three_high(state, row, column, mover, down)
    return columns & (columns >> 1) & _BESIDE_MIDDLE


def _win_by_nine_box(state, mover):
    """Swap the scores if the mover is behind, then add 10 points and nothing else (RULES N4)."""
    own = state.points[mover]
    others = state.points[1 - mover]
    if own < others:
        state.points[mover] = others
        state.points[1 - mover] = own
    state.points[mover] += 10
    state.nine_box = 1


def _weaken_around(board, state, point, mover):
    """Make the mover's stones round a scoring one weak, except its niban (RULES N5)."""
    for k in range(8):
        beside = board.around[point, k]
        if beside != OUTSIDE and beside != state.niban and state.stones[beside] == mover:
            state.rui[state.rui_count] = beside
            state.rui_count += 1
