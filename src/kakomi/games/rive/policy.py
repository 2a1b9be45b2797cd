"""What Rive advises a search to do: capture whenever you can, and take the opponent's stones.

A capture is a stone more and another turn, paid with stones that are mostly the opponent's. Players who
follow this rule and else draw at random beat players who only draw at random in 99 games of 100. Playouts
stay uniform all the same: those that follow the rule are longer, and the search plays worse with them.
"""

from kakomi.games.rive.groups import ARCS, list_groups_around, stones_around

CAPTURE, NO_CAPTURE = 0.6, 0.4
REMOVES_OTHER, REMOVES_OWN = 0.6, 0.3
"""What placements and removals promise (docs/strength.md)."""


def prior(board, state, scratch, count, out):
    """Captures promise more than other placements, and the opponent's stones more than one's own."""
    for i in range(count):
        action = int(scratch.actions[i])
        if state.excess > 0:
            is_own = state.stones[action - board.points] == state.to_move
            out[i] = REMOVES_OWN if is_own else REMOVES_OTHER
        else:
            out[i] = CAPTURE if captures(board, state, scratch, action) else NO_CAPTURE


def is_decided(board, state, scratch):
    """Whether the game is over, or players only fill the board and one leads.

    The lead changes by one stone at most then. The board's cells are odd in number, so that this makes no
    draw and no other leader.
    """
    if state.excess > 0:
        return False
    if state.empty_count == 0:
        return True
    return is_filling(board, state) and state.counts[0] != state.counts[1]


def is_filling(board, state):
    """Whether all stones are one group and every empty cell touches it: nothing can be captured any more, and
    the players fill the board in turn."""
    stones = board.points - state.empty_count
    return state.excess == 0 and 0 < stones == state.lowest


def captures(board, state, scratch, point):
    """Whether a stone on an empty point would join groups (RULES V4)."""
    neighbours = stones_around(board, state, point)
    return ARCS[neighbours] > 1 and list_groups_around(board, state, scratch, point, neighbours) > 1
