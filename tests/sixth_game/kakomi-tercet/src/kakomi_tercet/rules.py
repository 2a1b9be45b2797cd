"""Tercet's rules: place a stone, then remove what it flanks, as much as one likes."""

import numpy as np

from kakomi.boards import Geometry
from kakomi.kernel.contract import EMPTY

PLAYERS = 3
MAX_SIZE = 7
MAX_POINTS = MAX_SIZE * MAX_SIZE
OUTSIDE = -1
NOTHING = -1  # no stone has been placed in this turn yet

BOARD = np.dtype(
    [
        ("players", np.int64),
        ("points", np.int64),
        ("actions", np.int64),
        ("supply", np.int64),  # stones of each player
        ("beside", np.int16, (MAX_POINTS, 4)),  # up, right, down, left, or OUTSIDE
    ],
    align=True,
)
STATE = np.dtype(
    [
        ("stones", np.int8, MAX_POINTS),
        ("to_move", np.int8),
        ("tercet_placed", np.int16),  # the stone placed in this turn, or NOTHING
        ("unplaced", np.int16),  # stones in hand, all players together
        ("removed", np.int16, PLAYERS),  # stones that each player has removed
    ],
    align=True,
)
IDENTITY = ("stones", "to_move", "tercet_placed", "unplaced", "removed")
SCRATCH = np.dtype([("actions", np.int16, 2 * MAX_POINTS + 1)])


def build_board(geometry: Geometry, supply: int) -> np.ndarray:
    """The geometry and the option as a record for the rules."""
    board = np.zeros(1, BOARD)
    record = board[0]
    size = geometry.size
    record["players"] = PLAYERS
    record["points"] = geometry.points
    record["actions"] = 2 * geometry.points + 1
    record["supply"] = supply
    for point in range(geometry.points):
        row, column = divmod(point, size)
        for k, (up, right) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
            inside = 0 <= row + up < size and 0 <= column + right < size
            record["beside"][point, k] = (row + up) * size + column + right if inside else OUTSIDE
    return board


def reset(board, state):
    """The empty board."""
    for point in range(MAX_POINTS):
        state.stones[point] = EMPTY
    state.to_move = 0
    state.tercet_placed = NOTHING
    state.unplaced = PLAYERS * board.supply
    for player in range(PLAYERS):
        state.removed[player] = 0


def legal(board, state, scratch):
    """Any empty point; after the placement what it flanks, and the end of the turn."""
    n = 0
    if state.tercet_placed == NOTHING:
        for point in range(board.points):
            if state.stones[point] == EMPTY:
                scratch.actions[n] = point
                n += 1
        return n
    for point in range(board.points):
        if is_flanked(board, state, point):
            scratch.actions[n] = board.points + point
            n += 1
    scratch.actions[n] = 2 * board.points
    return n + 1


def play(board, state, scratch, action):
    """Place, remove, or end the turn; it also ends when nothing is left to remove."""
    if action < board.points:
        state.stones[action] = state.to_move
        state.tercet_placed = action
        state.unplaced -= 1
    elif action < 2 * board.points:
        state.stones[action - board.points] = EMPTY
        state.removed[state.to_move] += 1
    if action == 2 * board.points or not _flanks(board, state):
        state.to_move = (state.to_move + 1) % PLAYERS
        state.tercet_placed = NOTHING


def over(board, state):
    """All stones have been placed, and the last turn is finished."""
    return state.unplaced == 0 and state.tercet_placed == NOTHING


def scores(board, state, out):
    """Stones on the board and stones removed."""
    for player in range(PLAYERS):
        out[player] = state.removed[player]
    for point in range(board.points):
        if state.stones[point] != EMPTY:
            out[state.stones[point]] += 1


def is_flanked(board, state, point):
    """Whether an enemy stone here lies between the stone just placed and another of the mover's."""
    if state.stones[point] == EMPTY or state.stones[point] == state.to_move:
        return False
    for k in range(4):
        if board.beside[point, k] == state.tercet_placed:
            opposite = board.beside[point, (k + 2) % 4]
            return opposite != OUTSIDE and state.stones[opposite] == state.to_move
    return False


def _flanks(board, state):
    for k in range(4):
        point = board.beside[state.tercet_placed, k]
        if point != OUTSIDE and is_flanked(board, state, point):
            return True
    return False
