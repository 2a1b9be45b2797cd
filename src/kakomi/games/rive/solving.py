"""Short cuts for solving Rive.

Every stone of a shrinking group is marked, instead of its first stone alone, so that the board's symmetries
apply. Once only filling the board is left, the final scores are known.
"""

from kakomi.games.rive.policy import is_filling
from kakomi.games.rive.rules import is_shrinking

NUMBERS = (1, 0)
REMOVABLE = 2
"""Added to a stone of the shrinking group."""


def pieces(board, point):
    """Return 5: no stone, and each player's stones, marked or not."""
    return 5


def piece(board, state, point):
    """Return whose stone it is, and whether its group is shrinking."""
    marked = state.excess > 0 and is_shrinking(state, point)
    return int(state.stones[point]) + 1 + (REMOVABLE if marked else 0)


def numbers(board, state, out):
    """Write the player to act, and how many stones are still to be removed."""
    out[0] = state.to_move
    out[1] = state.excess
    return 2


def bound_scores(board, state, least, most):
    """Write the final scores if only filling the board is left; otherwise 0 and all points."""
    for player in range(2):
        least[player] = 0
        most[player] = board.points
        if is_filling(board, state):
            fills = (state.empty_count + int(player == state.to_move)) // 2
            least[player] = state.counts[player] + fills
            most[player] = least[player]
