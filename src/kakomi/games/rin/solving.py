"""Rin for a solver: who is to move, and for how many stones."""

NUMBERS = (1, 2)


def numbers(board, state, out):
    """Values depend on nothing else."""
    out[0] = state.to_move
    out[1] = state.left_in_turn
    return 2
