"""Advice to a search in Lin: leave settled points alone, and build walls.

A placement in one's own territory changes no domain (RULES L6), so it is a pass. Placing on a contested point
is never worse than passing: whatever follows, more points of one's own and fewer of the enemy's never harm,
as the same placements do as well there.

A domain is connected orthogonally, so diagonally adjacent stones already form a wall.
"""

from kakomi.games.lin.rules import CLOSED
from kakomi.kernel import below

NO_WALL = 0.5
WALL = 0.15


def candidates(board, state, scratch):
    """List the contested points."""
    n = 0
    for point in range(board.points):
        if state.place_in_open[0, point] != CLOSED and state.place_in_open[1, point] != CLOSED:
            scratch.actions[n] = point
            n += 1
    return n


def prior(board, state, scratch, count, out):
    """Rate points higher that extend a wall of either player."""
    for i in range(count):
        point = scratch.actions[i]
        walls = _carries_wall_on(board, state, 0, point) + _carries_wall_on(board, state, 1, point)
        out[i] = NO_WALL + walls * WALL


def _carries_wall_on(board, state, player, point):
    """Return 1 if a player's stone is diagonally adjacent, with none of theirs in between; else 0."""
    stones = state.stones
    side = int(board.side)
    row = int(board.row[point])
    column = int(board.column[point])
    for down in range(row - 1, row + 2, 2):
        for right in range(column - 1, column + 2, 2):
            if (
                (0 <= down < side and 0 <= right < side)
                and stones[down * side + right] == player
                and stones[row * side + right] != player
                and stones[down * side + column] != player
            ):
                return 1
    return 0


def playout_action(board, state, scratch, rng):
    """Draw a contested point uniformly: playouts, too, are better without passes."""
    fewer = 0 if state.open_count[0] < state.open_count[1] else 1
    count = state.open_count[fewer]
    while True:
        point = state.open[fewer, below(rng, count)]
        if state.place_in_open[1 - fewer, point] != CLOSED:
            return int(point)
