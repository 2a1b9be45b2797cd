"""What Ren advises a search to do: lengthen rows, fill open boxes, replace weak stones, score.

The weights were fitted: searches of 8,000 simulations told what each action in 600 positions of noisy games
on 10x10 is worth, and these few features explain a third of the differences (docs/strength.md).
"""

from kakomi.games.ren.rules import (
    BITS,
    LONGEST_SCORED,
    NINE_BOX,
    PADDING,
    WINDOW,
    completed,
    run_length,
    sample,
)
from kakomi.kernel.contract import EMPTY

LEVEL = 0.52
LEAD_WORTH = 0.35  # of a lead without end
HALF_LEAD = 3  # points that are worth half of that
PASS_WORTH = -0.05
REPLACE_WORTH = 0.027
SCORED_WORTH = 0.006  # a point
PREVENTED_WORTH = 0.009  # a point
CONTACT_WORTH = 0.007  # an enemy stone beside
RUN_WORTH = (0.0, 0.0, 0.012, 0.0175, 0.03, 0.018, 0.014, 0.0)  # by length
LONGEST_RUN = len(RUN_WORTH) - 1  # and all longer ones
OWN_BOX_WORTH = 0.01
BOX_BEGUN = 2  # stones in a box of six that may still be filled
ENEMY_BOX_WORTH = 0.008
BOX_TO_FEAR = 3
NINE_BOX_POINTS = 10


def prior(board, state, scratch, count, out):
    """The lead says what the position promises, and its shape what a square adds to that; to pass, little."""
    mover = int(state.to_move)
    lead = state.points[mover] - state.points[1 - mover]
    level = LEVEL + LEAD_WORTH * lead / (HALF_LEAD + abs(lead))
    for i in range(count):
        action = int(scratch.actions[i])
        if action == board.points:
            out[i] = level + PASS_WORTH
        else:
            out[i] = min(0.98, level + _promise(board, state, action, mover))


def playout_action(board, state, scratch, rng):
    """Of two legal actions the one that scores more."""
    one = sample(board, state, scratch, rng)
    other = sample(board, state, scratch, rng)
    if one == board.points or other == board.points:
        return one  # so that passes stay as frequent as among legal actions
    mover = int(state.to_move)
    if _worth(board, state, other, mover) > _worth(board, state, one, mover):
        return other
    return one


def _promise(board, state, point, mover):
    """How much better a stone there is than another."""
    points = _worth(board, state, point, mover)
    if points == NINE_BOX_POINTS:
        return 1.0
    promise = SCORED_WORTH * points
    if state.stones[point] == EMPTY:
        promise += PREVENTED_WORTH * _worth(board, state, point, 1 - mover)
    else:
        promise += REPLACE_WORTH
    row = int(board.row_of[point])
    column = int(board.column_of[point])
    promise += _run_worth(state.ren_rows[mover, row + PADDING] >> column)
    promise += _run_worth(state.ren_columns[mover, column] >> row)
    promise += CONTACT_WORTH * _beside(state, row, column, 1 - mover)
    promise += OWN_BOX_WORTH * _open_sixes(board, state, row, column, mover, BOX_BEGUN)
    promise += ENEMY_BOX_WORTH * _open_sixes(board, state, row, column, 1 - mover, BOX_TO_FEAR)
    return promise


def _worth(board, state, point, player):
    """What a stone there would score; a nine-box counts as ten points."""
    row = board.row_of[point] + PADDING
    before = state.ren_rows[player, row]
    state.ren_rows[player, row] = before | 1 << (board.column_of[point] + LONGEST_SCORED)
    points = completed(board, state, point, player)
    state.ren_rows[player, row] = before
    return NINE_BOX_POINTS if points == NINE_BOX else points


def _run_worth(stones):
    """What the run is worth that a stone in the middle of a window of these would be part of."""
    return RUN_WORTH[min(LONGEST_RUN, run_length(stones & WINDOW))]


def _beside(state, row, column, player):
    """How many of a player's stones stand orthogonally beside a square."""
    rows = state.ren_rows[player]
    at = column + LONGEST_SCORED
    above_and_below = (rows[row + PADDING - 1] >> at & 1) + (rows[row + PADDING + 1] >> at & 1)
    return above_and_below + (rows[row + PADDING] >> (at - 1) & 1) + (rows[row + PADDING] >> (at + 1) & 1)


def _open_sixes(board, state, row, column, player, least):
    """How many boxes of six round a square hold no enemy stone, and at least so many of a player's."""
    count = 0
    for down in range(3):
        count += _open_boxes(board, state, row - down, 3, column, 2, player, least)
    for down in range(2):
        count += _open_boxes(board, state, row - down, 2, column, 3, player, least)
    return count


def _open_boxes(board, state, lowest, height, column, width, player, least):
    """The same for the boxes of a size that begin in a row and hold a column."""
    count = 0
    whole = (1 << width) - 1
    for left in range(column - width + 1, column + 1):
        at = left + LONGEST_SCORED
        stones = 0
        blocked = 0
        for row in range(lowest + PADDING, lowest + PADDING + height):
            stones += BITS[state.ren_rows[player, row] >> at & whole]
            blocked |= (state.ren_rows[1 - player, row] | board.outside[row]) >> at & whole
        if stones >= least and blocked == 0:
            count += 1
    return count
