"""Rings' rules (RULES G1-G9), by Stephen Linhart, 1995.

On every circle, the influence of all players and the empty points add up to six plus the adjacent rings. So
a player has the majority if twice their influence exceeds that sum, without comparing players. Each circle
has a bit mask of stones per owner. Every action updates these masks, the rings, and the circles that each
player can convert.
"""

import numpy as np

from kakomi.boards import Geometry
from kakomi.core.option import Options
from kakomi.kernel import below
from kakomi.kernel.bits import LOWEST_BIT
from kakomi.kernel.pool import put_in, take_out
from kakomi.kernel.records import (
    EMPTY,
    board_record,
    clear_stones,
    empty_fields,
    list_empties,
    put_stone,
    scratch_record,
    state_record,
)

MAX_PLAYERS = 6
MAX_SIDE = 6
MAX_POINTS = 6 * MAX_SIDE * MAX_SIDE
MAX_CIRCLES = 3 * MAX_SIDE * (MAX_SIDE - 1) + 1
NOBODY = -1
FULL = 0b111111  # all six points of a circle

BOARD = board_record(
    ("circles", np.int64),
    ("points_of", np.uint8, (MAX_CIRCLES, 6)),
    ("beside", np.uint8, (MAX_CIRCLES, 6)),  # circles that share two points
    ("beside_count", np.int8, MAX_CIRCLES),
    ("circles_of", np.uint8, (MAX_POINTS, 3)),  # full circles round a point
    ("bits", np.int8, (MAX_POINTS, 3)),  # the point's bit in each of these circles
    ("circles_of_count", np.int8, MAX_POINTS),
    ("twin", np.int16, MAX_POINTS),  # the other point whose only full circle is the same, or NOBODY
)
STATE = state_record(
    MAX_POINTS,
    ("converting", np.int8),  # 1 in the second part of a turn
    ("passes", np.int8),  # turns without a placement, in succession
    *empty_fields(MAX_POINTS),
    # for each circle, a bit per point
    ("occupied", np.int8, MAX_CIRCLES),
    ("safe", np.int8, MAX_CIRCLES),  # in a ring (RULES G3)
    ("own", np.int8, (MAX_PLAYERS, MAX_CIRCLES)),
    ("influence", np.int8, (MAX_PLAYERS, MAX_CIRCLES)),  # RULES G4
    ("shares", np.int8, MAX_CIRCLES),  # sum of all influence and empty points
    ("majority", np.int8, MAX_CIRCLES),  # who has it, or NOBODY
    ("majorities", np.int8, MAX_PLAYERS),
    # for each player, the circles that they can convert; for each circle, whose list it is in
    ("convertible", np.uint8, (MAX_PLAYERS, MAX_CIRCLES)),
    ("convertible_count", np.uint8, MAX_PLAYERS),
    ("convertible_by", np.int8, MAX_CIRCLES),
    ("place_in_convertible", np.uint8, MAX_CIRCLES),
)
IDENTITY = ("stones", "to_move", "converting", "passes")
RANGES = {"converting": range(2), "passes": lambda game: range(game.players + 1)}  # RULES G6
SCRATCH = scratch_record(MAX_POINTS + 2 + MAX_CIRCLES)


def build_board(board: np.void, geometry: Geometry, options: Options) -> None:
    """Fill in the points of each circle, the circles of each point, and adjacent circles."""
    board["circles"] = len(geometry.cells)
    for circle, cell in enumerate(geometry.cells):
        board["points_of"][circle] = cell.points
        board["beside"][circle, : len(cell.neighbours)] = cell.neighbours
        board["beside_count"][circle] = len(cell.neighbours)
        for k, point in enumerate(cell.points):
            i = board["circles_of_count"][point]
            board["circles_of"][point, i] = circle
            board["bits"][point, i] = 1 << k
            board["circles_of_count"][point] += 1
    board["twin"] = NOBODY
    for cell in geometry.cells:
        alone = [point for point in cell.points if board["circles_of_count"][point] == 1]
        if len(alone) == 2:
            board["twin"][alone] = alone[::-1]


def reset(board, state):
    """Set up the empty board; player 0 begins (RULES G1)."""
    clear_stones(board, state)
    _clear(board, state)
    state.to_move = 0
    state.converting = 0
    state.passes = 0


def restore(board, state, scratch):
    """Compute the helper fields from the stones."""
    list_empties(board, state)
    _clear(board, state)
    for point in range(board.points):
        if state.stones[point] != EMPTY:
            _count(board, state, point, int(state.stones[point]))


def is_legal(board, state, scratch, action):
    """Whether this part of the turn allows the action on this point or circle (RULES G5)."""
    if action < board.points:
        return not state.converting and state.stones[action] == EMPTY
    if action == board.points:
        return not state.converting
    if action == board.points + 1:
        return state.converting == 1
    return state.converting == 1 and state.convertible_by[action - board.points - 2] == state.to_move


def sample(board, state, scratch, rng):
    """Draw an empty point or a pass; or a circle to convert or the end of the turn."""
    if state.converting:
        choices = state.convertible_count[state.to_move]
        k = below(rng, choices + 1)
        if k == choices:
            return board.points + 1
        return board.points + 2 + state.convertible[state.to_move, k]
    k = below(rng, state.empty_count + 1)
    if k == state.empty_count:
        return int(board.points)
    return int(state.empties[k])


def play(board, state, scratch, action):
    """Place, pass, convert or end; the turn also ends when nothing can be converted (RULES G5)."""
    mover = int(state.to_move)
    if action < board.points:
        state.passes = 0
        put_stone(state, action, mover)
        _count(board, state, action, mover)
    elif action == board.points:
        state.passes += 1
    elif action > board.points + 1:
        _convert(board, state, action - board.points - 2, mover)
    state.converting = action != board.points + 1 and state.convertible_count[mover] > 0
    if not state.converting:
        state.to_move = (mover + 1) % board.players


def over(board, state):
    """Whether all players in succession have passed, and the last turn is complete (RULES G6)."""
    return state.passes >= board.players and not state.converting


def scores(board, state, out):
    """Count the circles in which each player has the majority (RULES G7)."""
    for player in range(board.players):
        out[player] = state.majorities[player]


def _clear(board, state):
    """Empty all circles."""
    for circle in range(board.circles):
        state.occupied[circle] = 0
        state.safe[circle] = 0
        state.shares[circle] = 6
        state.majority[circle] = NOBODY
        state.convertible_by[circle] = NOBODY
    for player in range(board.players):
        state.majorities[player] = 0
        state.convertible_count[player] = 0
        for circle in range(board.circles):
            state.own[player, circle] = 0
            state.influence[player, circle] = 0


def _count(board, state, point, player):
    """Count a new stone in all circles round it.

    A player with a circle's majority keeps it, and can convert the stone unless a ring has just made it safe.
    """
    for k in range(board.circles_of_count[point]):
        circle = board.circles_of[point, k]
        bit = board.bits[point, k]
        state.occupied[circle] |= bit
        influence = _add(state, circle, bit, player)
        holder = state.majority[circle]
        if state.own[player, circle] == FULL:
            _make_ring(board, state, circle, player)
        elif holder == player:
            continue
        elif holder == NOBODY:
            if 2 * influence > state.shares[circle]:
                _review(state, circle, player)
        elif not state.safe[circle] & bit:
            _list_convertible(state, circle, holder)


def _convert(board, state, circle, player):
    """Turn every opposing stone of a circle that is in no ring."""
    turning = opposing(state, circle, player)
    while turning:
        _turn(board, state, board.points_of[circle, LOWEST_BIT[turning]], player)
        turning &= turning - 1


def _turn(board, state, point, player):
    """Turn one stone in all circles round it. Only its old and new owner's influence there changes."""
    loser = state.stones[point]
    state.stones[point] = player
    for k in range(board.circles_of_count[point]):
        circle = board.circles_of[point, k]
        bit = board.bits[point, k]
        left = _subtract(state, circle, bit, loser)
        influence = _add(state, circle, bit, player)
        holder = state.majority[circle]
        if state.own[player, circle] == FULL:
            _make_ring(board, state, circle, player)
        elif holder == player:
            if opposing(state, circle, player) == 0:
                _list_convertible(state, circle, NOBODY)
        elif holder == loser and 2 * left > state.shares[circle]:
            if not state.safe[circle] & bit:
                _list_convertible(state, circle, loser)
        elif holder == loser or 2 * influence > state.shares[circle]:
            _review(state, circle, player)


def opposing(state, circle, player):
    """Return the bits of the stones that this player could convert."""
    return state.occupied[circle] & ~(state.own[player, circle] | state.safe[circle])


def _add(state, circle, bit, player):
    """Add a stone to a player's in a circle, and return their influence."""
    state.own[player, circle] |= bit
    influence = state.influence[player, circle] + 1
    state.influence[player, circle] = influence
    return influence


def _subtract(state, circle, bit, player):
    """Remove a stone of a player's from a circle, and return their influence."""
    state.own[player, circle] ^= bit
    influence = state.influence[player, circle] - 1
    state.influence[player, circle] = influence
    return influence


def _make_ring(board, state, ring, player):
    """Make six stones safe, and add the ring's influence to adjacent circles (RULES G3, G4)."""
    for i in range(6):
        point = board.points_of[ring, i]
        for k in range(board.circles_of_count[point]):
            state.safe[board.circles_of[point, k]] |= board.bits[point, k]
    for i in range(board.beside_count[ring]):
        circle = board.beside[ring, i]
        state.influence[player, circle] += 1
        state.shares[circle] += 1
        _review(state, circle, player)
    _review(state, ring, player)


def _review(state, circle, gainer):
    """Update a circle's majority, and who can convert it, when only `gainer` gained influence there."""
    before = state.majority[circle]
    holder = before
    if 2 * state.influence[gainer, circle] > state.shares[circle]:
        holder = gainer
    elif before != NOBODY and 2 * state.influence[before, circle] <= state.shares[circle]:
        holder = NOBODY
    if holder != before:
        state.majority[circle] = holder
        if before != NOBODY:
            state.majorities[before] -= 1
        if holder != NOBODY:
            state.majorities[holder] += 1
    if holder != NOBODY and opposing(state, circle, holder) == 0:
        holder = NOBODY
    _list_convertible(state, circle, holder)


def _list_convertible(state, circle, player):
    """Move a circle to the list of the player who can convert it."""
    before = state.convertible_by[circle]
    if player == before:
        return
    if before != NOBODY:
        state.convertible_count[before] = take_out(
            state.convertible[before], state.place_in_convertible, state.convertible_count[before], circle
        )
    state.convertible_by[circle] = player
    if player != NOBODY:
        state.convertible_count[player] = put_in(
            state.convertible[player], state.place_in_convertible, state.convertible_count[player], circle
        )
