"""What a network sees of Lin besides the stones, which hold all of the position."""

from kakomi.games.lin.rules import CLOSED, in_line

PLANES = ()
FEATURES = (
    "empty points of one's own living domains",
    "empty points of the enemy's",
    "one's own lines",
    "the enemy's lines",
)


def mark_features(board, state, scratch, out):
    """Mark where each player may place (RULES L3), and the lines that keep their domains alive (L2)."""
    for k in range(2):
        player = int(state.to_move) if k == 0 else 1 - int(state.to_move)
        for point in range(board.points):
            out[k, point] = state.place_in_open[player, point] != CLOSED
            out[2 + k, point] = in_line(board, state, player, point)
