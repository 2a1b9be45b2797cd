"""Bounds on the final scores of a position of Rings, and an estimate of who is ahead.

Safe stones and rings stay until the end (RULES G3). So a player's final influence in a circle is at least
what their safe stones there and adjacent rings give now. It is at most what they would have if they also got
all other points of the circle, and all adjacent circles in which nobody else has a safe stone.
"""

from kakomi.games.rings.rules import FULL
from kakomi.kernel.bits import count_bits

RING = 3
"""The weight of a ring in a player's standing: with it a solver visits fewer positions with three players;
with two it matters little."""


def bound_scores(board, state, least, most):
    """Count the majorities that each player can't lose, and those that they can still have."""
    for player in range(board.players):
        sure, attainable = 0, 0
        for circle in range(board.circles):
            sure += _is_sure(board, state, circle, player)
            attainable += _is_attainable(board, state, circle, player)
        least[player] = sure
        most[player] = attainable


def standing(board, state, out):
    """Sum each player's influence, majorities and rings."""
    for player in range(board.players):
        total = 0
        for circle in range(board.circles):
            total += state.influence[player, circle]
            total += state.majority[circle] == player
            total += RING * (state.own[player, circle] == FULL)
        out[player] = total


def _is_sure(board, state, circle, player):
    lasting = _lasting_influence(state, circle, player)
    if not _is_majority(lasting, state.shares[circle]):
        return False
    return _is_majority(lasting, state.shares[circle] + _rings_to_come(board, state, circle, player, False))


def _is_attainable(board, state, circle, player):
    others_safe = count_bits(state.safe[circle] & ~state.own[player, circle])
    most = 6 - others_safe + _rings_beside(state, circle, player)
    if _is_majority(most, state.shares[circle]):
        return True
    rings = _rings_to_come(board, state, circle, player, True)
    return _is_majority(most + rings, state.shares[circle] + rings)


def _is_majority(influence, shares):
    """Whether it is more than half of all influence and empty points."""
    return 2 * influence > shares


def _lasting_influence(state, circle, player):
    own_safe = count_bits(state.own[player, circle] & state.safe[circle])
    return own_safe + _rings_beside(state, circle, player)


def _rings_beside(state, circle, player):
    """Return the part of a player's influence that isn't stones (RULES G4)."""
    return state.influence[player, circle] - count_bits(state.own[player, circle])


def _rings_to_come(board, state, circle, player, own):
    """Count the adjacent circles that can still become rings: the player's own, or other players'."""
    count = 0
    for i in range(board.beside_count[circle]):
        beside = board.beside[circle, i]
        safe = state.safe[beside]
        if safe == FULL:
            continue  # a ring already, or its points are safe in rings of several players
        in_the_way = safe & ~state.own[player, beside] if own else safe & state.own[player, beside]
        count += in_the_way == 0
    return count
