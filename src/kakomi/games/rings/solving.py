"""Short cuts for solving Rings: between two players a turn makes every conversion at once, and points whose
only full circle is the same are interchangeable.

`kakomi.games.rings.policy` proves for two players that a turn may convert all that it can. Converting one by
one has the same value, so a turn may begin by the rules and end here. Only at the six corners are there two
points whose only full circle is the same: twins. What the two hold, in either order, is one piece, which
both show.
"""

from kakomi.games.rings import rules
from kakomi.games.rings.bounds import bound_scores, standing
from kakomi.games.rings.policy import candidates
from kakomi.games.rings.rules import NOBODY
from kakomi.kernel.records import EMPTY

__all__ = ["NUMBERS", "bound_scores", "piece", "pieces", "solver_legal", "solver_play", "standing"]

NUMBERS = (3, 1, 3)  # who is to act, whether conversions are under way, turns without a stone


def solver_legal(board, state, scratch):
    """List what a search would try, but of two empty twins only one."""
    n = 0
    for i in range(candidates(board, state, scratch)):
        action = scratch.actions[i]
        if action < board.points:
            twin = board.twin[action]
            if twin != NOBODY and twin < action and state.stones[twin] == EMPTY:
                continue
        scratch.actions[n] = action
        n += 1
    return n


def solver_play(board, state, scratch, action):
    """Play by the rules; between two players, the mover then converts everything possible."""
    rules.play(board, state, scratch, action)
    if board.players == 2:
        while state.converting:
            circle = state.convertible[state.to_move, 0]
            rules.play(board, state, scratch, board.points + 2 + circle)


def pieces(board, point):
    """Return the number of pieces at a point; the first of two twins represents both."""
    held = board.players + 1  # nobody or a player
    if board.twin[point] == NOBODY:
        return held
    return held * (held + 1) // 2 if point < board.twin[point] else 1


def piece(board, state, point):
    """Return whose stone it is, or what two twins hold, in either order."""
    one = int(state.stones[point]) - EMPTY
    twin = board.twin[point]
    if twin == NOBODY:
        return one
    other = int(state.stones[twin]) - EMPTY
    less, more = min(one, other), max(one, other)
    return more * (more + 1) // 2 + less
