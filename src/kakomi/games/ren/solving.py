"""Short cuts for solving Ren: of the points only the lead matters, and weak stones are a piece."""

NUMBERS = (1, 2, 5, 16)
WEAK = 3
"""The piece of a weak stone, whose owner is never the player to move (RULES N5)."""


def pieces(board, point):
    """Return 4: no stone, each player's stones, and weak ones."""
    return 4


def piece(board, state, point):
    """Return whose stone it is, or `WEAK`."""
    for k in range(state.rui_count):
        if state.rui[k] == point:
            return WEAK
    return int(state.stones[point]) + 1


def numbers(board, state, out):
    """Write the player to move, the counts of passes and replacements, and Black's lead."""
    out[0] = state.to_move
    out[1] = state.passes
    out[2] = state.replacements
    out[3] = state.points[0] - state.points[1]
    return 4
