"""Rive for a solver: of a group that a capture shrinks every stone is marked, so that no stone of it needs
to stand for the others and the board's symmetries apply. Once players only fill the board its end is known.
"""

from kakomi.games.rive.policy import is_filling
from kakomi.games.rive.rules import is_shrinking

NUMBERS = (1, 0)
REMOVABLE = 2
"""Added to a stone of the group that shrinks."""


def pieces(board, point):
    """None, and each player's stones, marked or not."""
    return 5


def piece(board, state, point):
    """Whose stone it is, and whether its group shrinks."""
    marked = state.excess > 0 and is_shrinking(state, point)
    return int(state.stones[point]) + 1 + (REMOVABLE if marked else 0)


def numbers(board, state, out):
    """Who is to act, and how many stones have yet to go."""
    out[0] = state.to_move
    out[1] = state.excess
    return 2


def bound_scores(board, state, least, most):
    """The scores at the end, if players only fill the board from here on; else what a board allows."""
    for player in range(2):
        least[player] = 0
        most[player] = board.points
        if is_filling(board, state):
            fills = (state.empty_count + int(player == state.to_move)) // 2
            least[player] = state.counts[player] + fills
            most[player] = least[player]
