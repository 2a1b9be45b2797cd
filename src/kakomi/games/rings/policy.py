"""Advice to a search in Rings: convert everything that can be converted, and fight where circles are open.

With two players, replacing opposing stones by one's own never harms: every majority, ring and conversion
remains, and the opponent gets no new one. So a turn should convert all that it can, in any order, as no
conversion prevents another. With more players this need not hold: what weakens one opponent may serve
another.
"""

from kakomi.games.rings.rules import NOBODY
from kakomi.kernel.contract import legal


def candidates(board, state, scratch):
    """List the legal actions, but between two players only one conversion, which represents all."""
    if state.converting and board.players == 2:
        scratch.actions[0] = board.points + 2 + state.convertible[state.to_move, 0]
        return 1
    return legal(board, state, scratch)


def prior(board, state, scratch, count, out):
    """Rate placements by how contested their circles are, and passes and unused conversions low."""
    for i in range(count):
        action = scratch.actions[i]
        if action < board.points:
            out[i] = min(0.95, 0.5 + 0.02 * _contest(board, state, action))
        else:
            out[i] = 0.8 if action > board.points + 1 else 0.1


def _contest(board, state, point):
    """Sum own times opposing influence over the circles round a point where nobody has the majority."""
    contest = 0
    for k in range(board.circles_of_count[point]):
        circle = board.circles_of[point, k]
        if state.majority[circle] == NOBODY:
            contest += state.influence[state.to_move, circle] * _opposing_influence(board, state, circle)
    return contest


def _opposing_influence(board, state, circle):
    influence = 0
    for player in range(board.players):
        if player != state.to_move:
            influence += state.influence[player, circle]
    return influence
