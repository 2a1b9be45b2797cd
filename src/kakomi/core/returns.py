"""Returns of finished games, and the equivalent chances to win (RULES, "Returns").

Returns are between -1 and 1, and those of all players sum to 0. Among n players, a player with the share s of
a win (1/k if k players share it) has the return (n s - 1)/(n - 1). A share or expected share is a chance.
"""

from collections.abc import Sequence


def share_returns(scores, players, out):
    """Write the returns of final scores into `out`: the highest score wins, and winners share the win."""
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
    """The chance that is equivalent to a return, from 0 to 1; for two players (1 + value)/2."""
    return min(1.0, max(0.0, (value * (players - 1) + 1) / players))


def chances_of(returns: Sequence[float]) -> tuple[float, ...]:
    """The chances of all players from their returns; they sum to 1."""
    return tuple(chance_of(value, len(returns)) for value in returns)


def return_of(chance: float, players: int) -> float:
    """The return that is equivalent to a chance, from -1 to 1."""
    return (players * chance - 1) / (players - 1)


def sharpened(returns: Sequence[float], power: float) -> tuple[float, ...]:
    """The returns whose chances are those of `returns`, raised to a power and scaled to sum to 1."""
    weights = [chance**power for chance in chances_of(returns)]
    return tuple(return_of(weight / sum(weights), len(weights)) for weight in weights)


def percent(chance: float, digits: int = 0) -> str:
    """A chance in words: `48 %`; `<1 %` and `>99 %` if it would be rounded to 0 or 100."""
    least = 10.0**-digits
    if 0 < chance <= least / 200:
        return f"<{least:.{digits}f} %"
    if 1 - least / 200 <= chance < 1:
        return f">{100 - least:.{digits}f} %"
    return f"{100 * chance:.{digits}f} %"
