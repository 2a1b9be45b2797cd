"""What a simulation gives each player: their share of the win, from 0 to 1, which add up to 1.

A return r of n players (RULES, "Returns") is the share ((n - 1) r + 1) / n.
"""

from kakomi.search.tree import DRAWN, NOBODY


def as_return(gain: float, players: int) -> float:
    """The return that a mean gain stands for."""
    return (players * gain - 1) / (players - 1)


def give_all(gains, players, winner):
    """Gains when a player, or nobody (`DRAWN`, two players), is known to win."""
    for player in range(players):
        gains[player] = 0.0
        if winner == DRAWN:
            gains[player] = 0.5
    if winner != DRAWN:
        gains[winner] = 1.0


def weigh(gains, players, tuning):
    """Turn scores into gains, in place; who wins alone, `DRAWN` if two players draw, else `NOBODY`.

    As far as the tuning says a player's margin counts too, from 0 to 1 with 0.5 for level scores.
    """
    best = gains[0]
    second = -1e18
    winners = 1
    winner = 0
    for player in range(1, players):
        score = gains[player]
        if score > best:
            second, best, winners, winner = best, score, 1, player
        elif score == best:
            second, winners = best, winners + 1
        else:
            second = max(second, score)
    for player in range(players):
        score = gains[player]
        share = 1.0 / winners if score == best else 0.0
        lead = score - second if score == best else score - best
        margin = 0.5 + 0.5 * lead / (tuning.margin_scale + abs(lead))
        gains[player] = share + tuning.margin * (margin - share)
    if winners == 1:
        return winner
    return DRAWN if players == 2 else NOBODY
