"""How far the chances that a search gives may be off."""

import math
from collections.abc import Iterable

from kakomi.search import Report


def standard_error(chance: float, samples: int, dispersion: float) -> float:
    """The standard error of a chance estimated by so many simulations; by none it is exact.

    Simulations of a tree search depend on each other: `dispersion` says how many times the variance is
    that of independent ones (quasi-binomial; P. McCullagh and J. A. Nelder, "Generalized Linear Models",
    1989, 4.5). Two simulations more, one won and one lost, keep the error of a chance of 0 or 1 above 0.
    """
    return math.sqrt(dispersion * _variance(chance, samples) / samples) if samples else 0.0


def measured_dispersion(pairs: Iterable[tuple[Report, Report]]) -> float:
    """The dispersion that pairs of independent searches of the same position show; at least 1."""
    ratios = [_squared_ratio(*pair, player) for pair in pairs for player in _players_of(*pair)]
    return max(1.0, math.fsum(ratios) / len(ratios)) if ratios else 1.0


def _players_of(first: Report, second: Report) -> range:
    return range(0 if first.is_exact or second.is_exact else len(first.returns))


def _squared_ratio(first: Report, second: Report, player: int) -> float:
    """How far two searches differ, squared, over what independent simulations let expect."""
    one, other = first.chances[player], second.chances[player]
    expected = sum(
        _variance((one + other) / 2, report.samples) / report.samples for report in (first, second)
    )
    return (one - other) ** 2 / expected


def _variance(chance: float, samples: int) -> float:
    """Of one simulation, which gives 0 or 1."""
    smoothed = (chance * samples + 1) / (samples + 2)
    return smoothed * (1 - smoothed)
