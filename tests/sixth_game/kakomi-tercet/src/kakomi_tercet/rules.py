"""Tercet's rules: place a stone, then remove any of the stones that it flanks."""

import numpy as np

from kakomi.boards import ORTHOGONAL
from kakomi.kernel.records import EMPTY, board_record, scratch_record, state_record

PLAYERS = 3
MAX_SIZE = 7
MAX_POINTS = MAX_SIZE * MAX_SIZE
OUTSIDE = MAX_POINTS  # one point for everything beyond the edge
NOTHING = -1  # no stone has been placed in this turn yet

BOARD = board_record(
    ("supply", np.int64),  # stones of each player
    ("beside", np.int16, (MAX_POINTS, 4)),  # opposite ones are two indices apart; OUTSIDE beyond the edge
)
STATE = state_record(
    MAX_POINTS,
    ("tercet_placed", np.int16),  # the stone placed in this turn, or NOTHING
    ("unplaced", np.int16),  # stones in hand of all players together
    ("removed", np.int16, PLAYERS),  # stones that each player has removed
)
IDENTITY = ("stones", "to_move", "tercet_placed", "unplaced", "removed")
SCRATCH = scratch_record(2 * MAX_POINTS + 1)


def build_board(board, geometry, options):
    """Fill in what the rules need of the board and the options."""
    board["supply"] = options["stones"]
    board["beside"][: geometry.points] = geometry.around(ORTHOGONAL, OUTSIDE)


def reset(board, state):
    """Set up the empty board."""
    for point in range(MAX_POINTS):
        state.stones[point] = EMPTY
    state.to_move = 0
    state.tercet_placed = NOTHING
    state.unplaced = PLAYERS * board.supply
    for player in range(PLAYERS):
        state.removed[player] = 0


def is_legal(board, state, scratch, action):
    """Whether the point is empty or, after a placement, flanked; or the action ends the turn."""
    if state.tercet_placed == NOTHING:
        return action < board.points and state.stones[action] == EMPTY
    if action == 2 * board.points:
        return True
    return action >= board.points and is_flanked(board, state, action - board.points)


def play(board, state, scratch, action):
    """Place, remove, or end the turn, which also ends when nothing is left to remove."""
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
    """Whether all stones have been placed and the last turn is finished."""
    return state.unplaced == 0 and state.tercet_placed == NOTHING


def scores(board, state, out):
    """Count each player's stones on the board and the stones that they removed."""
    for player in range(PLAYERS):
        out[player] = state.removed[player]
    for point in range(board.points):
        if state.stones[point] != EMPTY:
            out[state.stones[point]] += 1


def is_flanked(board, state, point):
    """Whether an enemy stone here is between the stone just placed and another of the mover's."""
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
