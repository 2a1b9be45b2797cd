"""Lin for a solver: on small boards as three sets of points: Black's, White's, and what both can still get.

After every turn each point is Black's, White's or contested, and a stone is always its owner's (RULES L6).
A living domain of White's reaches no point that is Black's alone, so whether a black stone is on such a
point matters to nobody: the owners tell the position. A placement makes its point the mover's, and with
it all that is then in no living domain of the other colour.

Placements on points that are one's own are left out. They are passes; suppose that anybody could pass as
often as they like, and compare two positions one of which has all of Black's points of the other and
perhaps more, and none of White's beyond the other's. Every placement keeps that order: whatever Black
would do in the poorer position, the same placement or a pass does as well in the richer one, and whatever
White does in the richer one can be done, or is done already, in the poorer one. A placement also makes
richer. So to place on a contested point is never worse than to pass, and there is one until the game is
over. As the real game allows some passes only, its value lies between those with none and with any
number, which are the same.

Owned is not yet settled: a stone whose domain is cut off from every line is lost (RULES L3). What a
player's points alone connect to a line of such points is settled for ever.

A set is a bit mask, rows side by side with a bit between them that is never set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakomi.games.lin import rules
from kakomi.games.lin.rules import CLOSED
from kakomi.kernel.bits import count_bits
from kakomi.kernel.records import EMPTY, state_record

if TYPE_CHECKING:
    from kakomi.core import Game, Position

LARGEST = 7
"""The largest board whose points, with the gaps, fit into 63 bits."""

STATE = state_record(  # `stones` are the points' owners, `EMPTY` where they are contested
    LARGEST * LARGEST,
    ("lin_masks", np.int64, 2),  # each player's points
    ("everywhere", np.int64),
    ("contested", np.int16),
    ("settled", np.int16, 2),  # each player's score if they get no point more (RULES L4)
    ("lines_left", np.int16, 2),  # points in lines that a player can still fill
)
SCRATCH = rules.SCRATCH
IDENTITY = ("stones", "to_move")
NUMBERS = (1,)


def replaces_rules(game: Game) -> bool:
    """Whether a game is solved by these rules."""
    return game.geometry.size <= LARGEST


def adopt(position: Position) -> np.ndarray:
    """The state that stands for a position of the game."""
    states = np.zeros(1, STATE)
    origin = position.state
    states["to_move"] = position.to_move
    for point, stone in enumerate(origin["stones"][: position.game.geometry.points].tolist()):
        closed = [origin["place_in_open"][player][point] == CLOSED for player in range(2)]
        owner = stone if stone != EMPTY else closed.index(False) if any(closed) else EMPTY
        states["stones"][0, point] = owner
    return states


def restore(board, state, scratch):
    """The masks and counts, from the owners."""
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
    """Make a point, and all that is then lost to the enemy, the mover's."""
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
    """Whether nothing is contested (RULES L4)."""
    return state.contested == 0


def scores(board, state, out):
    """What is settled, which in the end is all, and komi (RULES L4)."""
    out[0] = state.settled[0]
    out[1] = state.settled[1]


def bound_scores(board, state, least, most):
    """What is settled, and that with all that isn't."""
    open_points = board.points + board.komi - state.settled[0] - state.settled[1]
    for player in range(2):
        least[player] = state.settled[player]
        most[player] = state.settled[player] + open_points


def standing(board, state, out):
    """Points in lines that a player can still fill."""
    out[0] = state.lines_left[0]
    out[1] = state.lines_left[1]


def _bit(board, point):
    return 1 << (int(board.row[point]) * (board.side + 1) + int(board.column[point]))


def _lines(board, free):
    """The points that are in lines of free points."""
    return _lines_along(board, free, 1) | _lines_along(board, free, board.side + 1)


def _lines_along(board, free, step):
    """As the rules find them in a row, but in rows or columns of the whole board."""
    first = board.first_shift * step
    second = board.second_shift * step
    starts = free & (free >> step)
    starts &= starts >> first
    starts &= starts >> second
    points = starts | (starts << second)
    points |= points << first
    return points | (points << step)


def _reached(board, free, points):
    """All free points that are connected to some points through free ones."""
    pitch = board.side + 1
    while True:
        wider = free & (points | points << 1 | points >> 1 | points << pitch | points >> pitch)
        if wider == points:
            return points
        points = wider


def _name_owners(board, state):
    """The owner of each point, how many points are contested, and each player's score if they get nothing
    more."""
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
