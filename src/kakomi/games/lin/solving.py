"""Short cuts for solving Lin: rules for small boards on three sets of points, Black's, White's and contested.

After every turn each point is Black's, White's or contested, and a stone is always on its owner's point
(RULES L6). No living domain of White reaches a point that is Black's alone, so it doesn't matter whether such
a point holds a black stone: the owners determine the position. A placement gives the mover its point, and all
points that are then in no living domain of the other colour.

Placements on one's own points are left out, as they are passes. Proof that this changes no value: suppose
that players may pass at any time, and call a position richer for Black than another if Black owns at least
the same points and White at most the same. Every placement keeps that order: whatever Black does in the
poorer position, the same placement or a pass does as well in the richer one, and whatever White does in the
richer one is possible, or done already, in the poorer one. A placement also makes a position richer for the
mover. So placing on a contested point is never worse than passing, and there is such a point until the game
is over. The real game allows only some passes, so its value lies between the values with none and with any
number of passes, which are equal.

An owned point isn't settled yet: a stone whose domain is cut off from every line is lost (RULES L3). Points
that a player's points alone connect to a line of such points are settled permanently.

A set is a bit mask: the rows one after another, each followed by a bit that is never set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakomi.games.lin import rules
from kakomi.kernel import as_records
from kakomi.kernel.bits import count_bits
from kakomi.kernel.records import EMPTY, state_record

if TYPE_CHECKING:
    from kakomi.core import Game, Position

LARGEST = 7
"""The largest board whose points, with those bits, fit into 63."""

STATE = state_record(  # `stones` are the points' owners, `EMPTY` where they are contested
    LARGEST * LARGEST,
    ("lin_masks", np.int64, 2),  # each player's points
    ("everywhere", np.int64),
    ("contested", np.int16),
    ("settled", np.int16, 2),  # each player's score if they gain no more points (RULES L4)
    ("lines_left", np.int16, 2),  # points in lines that a player can still fill
)
SCRATCH = rules.SCRATCH
IDENTITY = ("stones", "to_move")
NUMBERS = (1,)


def replaces_rules(game: Game) -> bool:
    """Whether these rules apply to the game's board."""
    return game.geometry.size <= LARGEST


def adopt(position: Position) -> np.ndarray:
    """Return the state that represents a position of the game."""
    states = np.zeros(1, STATE)
    board, origin = as_records(position.game.board)[0], as_records(position.states())[0]
    states["to_move"] = position.to_move
    for point in range(position.game.geometry.points):
        states["stones"][0, point] = rules.owner(board, origin, point)
    return states


def restore(board, state, scratch):
    """Compute the masks and counts from the owners."""
    state.lin_masks[0] = 0
    state.lin_masks[1] = 0
    state.everywhere = 0
    for point in range(board.points):
        state.everywhere |= _bit(board, point)
        if state.stones[point] != EMPTY:
            state.lin_masks[state.stones[point]] |= _bit(board, point)
    state.lines_left[0] = 0
    state.lines_left[1] = 0
    _name_owners(board, state)


def is_legal(board, state, scratch, action):
    """Whether a point is contested."""
    return state.stones[action] == EMPTY


def play(board, state, scratch, action):
    """Give the mover a point, and all points that the enemy then loses."""
    mover = int(state.to_move)
    enemy = 1 - mover
    free_for_enemy = state.everywhere & ~(state.lin_masks[mover] | _bit(board, action))
    enemy_lines = _lines(board, free_for_enemy)
    state.lin_masks[mover] = state.everywhere & ~_reached(board, free_for_enemy, enemy_lines)
    state.lin_masks[enemy] &= ~state.lin_masks[mover]
    own_lines = _lines(board, state.everywhere & ~state.lin_masks[enemy])
    state.lines_left[mover] = count_bits(own_lines)
    state.lines_left[enemy] = count_bits(enemy_lines)
    state.to_move = enemy
    _name_owners(board, state)


def over(board, state):
    """Whether no point is contested (RULES L4)."""
    return state.contested == 0


def scores(board, state, out):
    """Count settled points, which at the end are all, and komi (RULES L4)."""
    out[0] = state.settled[0]
    out[1] = state.settled[1]


def bound_scores(board, state, least, most):
    """Write the settled points, and these with all others."""
    open_points = board.points + board.komi - state.settled[0] - state.settled[1]
    for player in range(2):
        least[player] = state.settled[player]
        most[player] = state.settled[player] + open_points


def standing(board, state, out):
    """Count the points in lines that each player can still fill."""
    out[0] = state.lines_left[0]
    out[1] = state.lines_left[1]


def _bit(board, point):
    return 1 << (int(board.row[point]) * (board.side + 1) + int(board.column[point]))


def _lines(board, free):
    """Return the points that are in lines of free points."""
    return _lines_along(board, free, 1) | _lines_along(board, free, board.side + 1)


def _lines_along(board, free, step):
    """Like `_lines` of the rules, in all rows or all columns at once."""
    first = board.first_shift * step
    second = board.second_shift * step
    starts = free & (free >> step)
    starts &= starts >> first
    starts &= starts >> second
    points = starts | (starts << second)
    points |= points << first
    return points | (points << step)


def _reached(board, free, points):
    """Return the free points that are connected to `points` through free ones."""
    pitch = board.side + 1
    while True:
        wider = free & (points | points << 1 | points >> 1 | points << pitch | points >> pitch)
        if wider == points:
            return points
        points = wider


def _name_owners(board, state):
    """Update the owner of each point, the number of contested points, and each player's settled score."""
    state.contested = 0
    for point in range(board.points):
        bit = _bit(board, point)
        if state.lin_masks[0] & bit:
            state.stones[point] = 0
        elif state.lin_masks[1] & bit:
            state.stones[point] = 1
        else:
            state.stones[point] = EMPTY
            state.contested += 1
    for player in range(2):
        own = state.lin_masks[player]
        state.settled[player] = count_bits(_reached(board, own, _lines(board, own)))
    state.settled[1] += board.komi
