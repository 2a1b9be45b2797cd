"""Advice to a search in Ren: rates an action by what it completes and what it prevents.

The rating is linear in a few features, with weights fitted by softmax regression to the shares of visits in
much longer searches (30,000 simulations on 10×10).
"""

import numpy as np

from kakomi.games.ren.rules import (
    BITS,
    LONGEST_SCORED,
    NINE_BOX,
    PADDING,
    WINDOW,
    completed,
    run_length,
    surrounds,
)
from kakomi.kernel.records import EMPTY

LEVEL = 0.4
MOST = 0.98
SCALE = 0.04
"""The difference of ratings for a share e times as large; also the search config's `prior_scale`."""

# Features, by their index in `WEIGHTS`
PASS = 0
POINTS = 1  # that the stone scores
PREVENTED = 2  # points that an enemy stone would score there
REPLACES = 3
CAPTURES = 4
CONTACT = 5  # orthogonally adjacent enemy stones
ATARI = 6  # three sides are enemy stones or the edge
ENCLOSED = 7  # all four are
EDGE = 8
WEAKENED = 9  # own stones that become weak (RULES N5)
RUN = 10  # by its length; counts twice, for row and column
OWN_SIX = 18  # boxes of six with the stone and no enemy stone, by the number of their other stones
ENEMY_SIX = 24  # the same for the enemy's stones, if the square were theirs
OWN_FOUR = 30
ENEMY_FOUR = 34
FEATURES = 38

LONGEST_RUN = 7  # longer runs count as this
NINE_BOX_POINTS = 10

WEIGHTS = np.array(
    [
        *(-2.69, 0.89, 0.90, 2.90, 1.51, 0.01, -0.55, 1.19, -1.00, -0.44),  # PASS to WEAKENED
        *(0.00, -0.03, 0.80, 0.73, 1.30, 0.85, 1.63, -0.13),  # RUN
        *(0.04, 0.15, 0.48, 0.30, 0.27, 1.39),  # OWN_SIX
        *(0.04, 0.07, 0.25, 0.51, 0.88, 0.79),  # ENEMY_SIX
        *(-0.08, -0.15, -0.02, -0.02),  # OWN_FOUR
        *(-0.08, 0.08, 0.23, -0.51),  # ENEMY_FOUR
    ]
)


def prior(board, state, scratch, count, out):
    """Rate each action. A nine-box gets the highest rating."""
    for i in range(count):
        out[i] = min(MOST, LEVEL + SCALE * log_share(board, state, int(scratch.actions[i]), WEIGHTS))


def log_share(board, state, action, weights):
    """Return the sum of the weights of an action's features."""
    if action == board.points:
        return weights[PASS]
    mover = int(state.to_move)
    enemy = 1 - mover
    row = int(board.row_of[action])
    column = int(board.column_of[action])
    replaces = state.stones[action] != EMPTY
    if replaces:
        share = weights[REPLACES]
        _flip_in_row(board, state, action, enemy)
    else:
        share = weights[PREVENTED] * points_by(board, state, action, enemy)
    share += _boxes(board, state, row, column, mover, weights, OWN_SIX, OWN_FOUR)
    share += _boxes(board, state, row, column, enemy, weights, ENEMY_SIX, ENEMY_FOUR)
    _flip_in_row(board, state, action, mover)
    share += _made(board, state, action, mover, replaces, weights)
    _flip_in_row(board, state, action, mover)
    if replaces:
        _flip_in_row(board, state, action, enemy)
    return share


def points_by(board, state, point, player):
    """Return what a player's stone would score on an empty square; a nine-box counts as ten points."""
    _flip_in_row(board, state, point, player)
    points = _points(board, state, point, player)
    _flip_in_row(board, state, point, player)
    return points


def would_capture(board, state, point, player):
    """Whether a player's stone on an empty square would capture (RULES N7)."""
    _flip_in_row(board, state, point, player)
    captures = surrounds(board, state, point, player)
    _flip_in_row(board, state, point, player)
    return captures


def _flip_in_row(board, state, point, player):
    """Add a stone to the row masks, or take it out; nothing here reads the other masks."""
    row = int(board.row_of[point]) + PADDING
    state.ren_rows[player, row] ^= 1 << (int(board.column_of[point]) + LONGEST_SCORED)


def _made(board, state, point, mover, replaces, weights):
    """Return the weights of what a stone completes; the mover's row masks hold it."""
    points = _points(board, state, point, mover)
    if points == NINE_BOX_POINTS:
        return 1 / SCALE
    row = int(board.row_of[point])
    column = int(board.column_of[point])
    share = weights[POINTS] * points
    if points > 0:
        share += weights[WEAKENED] * _own_around(state, row, column, mover)
    share += weights[RUN + _run(state.ren_rows[mover, row + PADDING] >> column)]
    share += weights[RUN + _run(state.ren_columns[mover, column] >> row)]
    captures = not replaces and surrounds(board, state, point, mover)
    if captures:
        share += weights[CAPTURES]
    return share + _sides(board, state, row, column, 1 - mover, captures, weights)


def _points(board, state, point, player):
    """Return what a stone in the row masks scores; a nine-box counts as ten points."""
    points = completed(board, state, point, player)
    return NINE_BOX_POINTS if points == NINE_BOX else points


def _run(stones):
    """Return the length of the run through the middle of a window."""
    return min(LONGEST_RUN, run_length(stones & WINDOW))


def _own_around(state, row, column, player):
    """Count a player's stones on the eight squares round one of them."""
    count = -1
    for beside in range(row + PADDING - 1, row + PADDING + 2):
        count += BITS[state.ren_rows[player, beside] >> (column + LONGEST_SCORED - 1) & 7]
    return count


def _sides(board, state, row, column, enemy, captures, weights):
    """Return the weights of enemy stones and edges on the four sides of a square."""
    stones = _beside(state.ren_rows[enemy], row, column)
    edges = _beside(board.outside, row, column)
    share = weights[CONTACT] * stones
    if edges > 0:
        share += weights[EDGE]
    if stones + edges == 4:
        share += weights[ENCLOSED]
    elif stones + edges == 3 and not captures:
        share += weights[ATARI]
    return share


def _beside(rows, row, column):
    """Count the orthogonal neighbours of a square that are set in row masks."""
    at = column + LONGEST_SCORED
    above_and_below = (rows[row + PADDING - 1] >> at & 1) + (rows[row + PADDING + 1] >> at & 1)
    return above_and_below + (rows[row + PADDING] >> (at - 1) & 1) + (rows[row + PADDING] >> (at + 1) & 1)


def _boxes(board, state, row, column, player, weights, sixes, fours):
    """Return the weights of all boxes of six and four that hold a square and no stone of the other player."""
    share = 0.0
    for down in range(3):
        share += _row_of_boxes(board, state, row - down, 3, column, 2, player, weights, sixes)
    for down in range(2):
        share += _row_of_boxes(board, state, row - down, 2, column, 3, player, weights, sixes)
        share += _row_of_boxes(board, state, row - down, 2, column, 2, player, weights, fours)
    return share


def _row_of_boxes(board, state, lowest, height, column, width, player, weights, first):
    """The same for boxes of one size whose lowest row is `lowest`; `weights[first + n]` is for n stones."""
    share = 0.0
    whole = (1 << width) - 1
    for left in range(column - width + 1, column + 1):
        at = left + LONGEST_SCORED
        stones = 0
        blocked = 0
        for row in range(lowest + PADDING, lowest + PADDING + height):
            stones += BITS[state.ren_rows[player, row] >> at & whole]
            blocked |= (state.ren_rows[1 - player, row] | board.outside[row]) >> at & whole
        if blocked == 0:
            share += weights[first + stones]
    return share
