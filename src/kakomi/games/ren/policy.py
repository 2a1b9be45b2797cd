"""What Ren advises a search to do: score, and keep the enemy from scoring."""

from kakomi.games.ren.rules import LONGEST_SCORED, NINE_BOX, PADDING, completed
from kakomi.kernel.contract import EMPTY


def prior(board, state, scratch, count, out):
    """Squares promise more for each point that they are worth to either player; to pass, little."""
    mover = int(state.to_move)
    for i in range(count):
        action = int(scratch.actions[i])
        if action == board.points:
            out[i] = 0.1
            continue
        points = 10 * _worth(board, state, action, mover)
        if state.stones[action] == EMPTY:
            points += 8 * _worth(board, state, action, 1 - mover)
        out[i] = min(98, 50 + points) / 100


def _worth(board, state, point, player):
    """What a stone there would score; a nine-box counts as ten points."""
    row = board.row_of[point] + PADDING
    before = state.ren_rows[player, row]
    state.ren_rows[player, row] = before | 1 << (board.column_of[point] + LONGEST_SCORED)
    points = completed(board, state, point, player)
    state.ren_rows[player, row] = before
    return 10 if points == NINE_BOX else points
