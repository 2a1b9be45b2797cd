"""What Rings advises a search to do: convert all that can be converted, fight where circles are open.

With two players more stones of one's own in place of the opponent's never harm: every majority, ring and
conversion remains, and the opponent gets no new one. So a turn should convert all that it can, and as no
conversion takes another one away, in any order. With more players this need not hold: what weakens one
opponent may serve another.
"""

from kakomi.games.rings.rules import NOBODY
from kakomi.kernel.contract import legal


def candidates(board, state, scratch):
    """All that is legal, but of two players' conversions any one, which stands for all."""
    if state.converting and board.players == 2:
        scratch.actions[0] = board.points + 2 + state.convertible[state.to_move, 0]
        return 1
    return legal(board, state, scratch)


def prior(board, state, scratch, count, out):
    """Placements promise more the more contested their circles are; to pass or not to convert, little."""
    for i in range(count):
        action = scratch.actions[i]
        if action < board.points:
            out[i] = min(0.95, 0.5 + 0.02 * _contest(board, state, action))
        else:
            out[i] = 0.8 if action > board.points + 1 else 0.1


def _contest(board, state, point):
    """How contested the circles round a point are: own by opposing influence, where nobody has a majority."""
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
