"""What a game gives each player, and the chance that it stands for (RULES, "Returns").

A return goes from -1 to 1, and the returns of all players sum to 0. Among n players, one with the share s of
a win, 1/k if k share it, has the return (n s - 1)/(n - 1). Such a share, or an expected one, is a chance.
"""

from collections.abc import Sequence


def share_returns(scores, players, out):
    """Write returns into `out` from final scores: the highest score wins, winners share, the sum is 0."""
    best = scores[0]
    for player in range(1, players):
        best = max(best, scores[player])
    winners = 0
    for player in range(players):
        if scores[player] == best:
            winners += 1
    for player in range(players):
        if scores[player] == best:
            out[player] = (players / winners - 1) / (players - 1)
        else:
            out[player] = -1 / (players - 1)


def chance_of(value: float, players: int) -> float:
    """The share of the win that a return stands for, from 0 to 1; for two players (1 + value)/2."""
    return min(1.0, max(0.0, (value * (players - 1) + 1) / players))


def chances_of(returns: Sequence[float]) -> tuple[float, ...]:
    """The chances of all players, whose returns these are; they sum to 1."""
    return tuple(chance_of(value, len(returns)) for value in returns)


def return_of(chance: float, players: int) -> float:
    """The return that a share of the win stands for, from -1 to 1."""
    return (players * chance - 1) / (players - 1)


def percent(chance: float, digits: int = 0) -> str:
    """A chance as people read it: `48 %`; what isn't quite certain is not called so."""
    least = 10.0**-digits
    if 0 < chance <= least / 200:
        return f"<{least:.{digits}f} %"
    if 1 - least / 200 <= chance < 1:
        return f">{100 - least:.{digits}f} %"
    return f"{100 * chance:.{digits}f} %"
