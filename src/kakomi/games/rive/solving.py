"""Rive for a solver: of a group that a capture shrinks every stone is marked, so that no stone of it needs
to stand for the others and the board's symmetries apply."""

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
