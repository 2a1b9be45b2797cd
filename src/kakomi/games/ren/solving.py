"""Ren for a solver: of the points only the lead matters, and weak stones are pieces of their own."""

NUMBERS = (1, 2, 5, 16)
WEAK = 3
"""What a weak stone is, whose it is follows from who is to move (RULES N5)."""


def pieces(board, point):
    """None, each player's stones, and weak ones."""
    return 4


def piece(board, state, point):
    """Whose stone it is, or that it is weak."""
    for k in range(state.rui_count):
        if state.rui[k] == point:
            return WEAK
    return int(state.stones[point]) + 1


def numbers(board, state, out):
    """Who is to move, what has been counted, and Black's lead."""
    out[0] = state.to_move
    out[1] = state.passes
    out[2] = state.replacements
    out[3] = state.points[0] - state.points[1]
    return 4
