"""What a search says of a position, in chances, and how far it may be off."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from kakomi.core import Position
from kakomi.search import Report
from kakomi.search.report import chance_of


@dataclass(frozen=True)
class Estimate:
    """The win chances in a position, and its best line as far as a search found it."""

    chances: tuple[float, ...]
    """For each player, from 0 to 1; they sum to 1, and who shares a win has a share of the chance."""
    simulations: int
    """How many the chances are the mean of; 0: they follow from the rules or from a proof."""
    best: tuple[int, ...] = ()
    """The action to play and how play goes on from there; empty in a finished game."""
    promise: float = 0.0
    """The chance of the player to act, if they play the best action."""
    promise_visits: int = 0
    """How many simulations `promise` is the mean of; 0: it is exact."""

    @property
    def is_exact(self) -> bool:
        """Whether no noise is in the chances."""
        return self.simulations == 0


def exact_estimate(position: Position) -> Estimate:
    """What a finished game gives. Raises ValueError while the game goes on."""
    return Estimate(_chances(position.returns()), simulations=0)


def estimate_of(report: Report, position: Position) -> Estimate:
    """What a search of a position says."""
    best, principal = report.lines[0], report.principal
    is_won = bool(report.is_proven and max(report.values) == 1)
    return Estimate(
        chances=_chances(report.values),
        simulations=0 if is_won else report.simulations,
        best=principal if principal[:1] == (best.action,) else (best.action,),
        promise=1.0 if best.wins else float(chance_of(best.value, position.game.players)),
        promise_visits=0 if best.wins or is_won else best.visits,
    )


def standard_error(chance: float, simulations: int, dispersion: float) -> float:
    """The standard error of a chance estimated by so many simulations; by none it is exact.

    Simulations of a tree search depend on each other: `dispersion` says how many times the variance is
    that of independent ones (quasi-binomial; P. McCullagh and J. A. Nelder, "Generalized Linear Models",
    1989, 4.5). Two simulations more, one won and one lost, keep the error of a chance of 0 or 1 above 0.
    """
    return math.sqrt(dispersion * _variance(chance, simulations) / simulations) if simulations else 0.0


def measured_dispersion(pairs: Iterable[tuple[Estimate, Estimate]]) -> float:
    """The dispersion that pairs of independent searches of the same position show; at least 1."""
    ratios = [_squared_ratio(*pair, player) for pair in pairs for player in _players_of(*pair)]
    return max(1.0, math.fsum(ratios) / len(ratios)) if ratios else 1.0


def _players_of(first: Estimate, second: Estimate) -> range:
    return range(0 if first.is_exact or second.is_exact else len(first.chances))


def _squared_ratio(first: Estimate, second: Estimate, player: int) -> float:
    """How far two estimates differ, squared, over what independent simulations let expect."""
    one, other = first.chances[player], second.chances[player]
    expected = sum(
        _variance((one + other) / 2, estimate.simulations) / estimate.simulations
        for estimate in (first, second)
    )
    return (one - other) ** 2 / expected


def _variance(chance: float, simulations: int) -> float:
    """Of one simulation, which gives 0 or 1."""
    smoothed = (chance * simulations + 1) / (simulations + 2)
    return smoothed * (1 - smoothed)


def _chances(values: Iterable[float]) -> tuple[float, ...]:
    values = tuple(values)
    return tuple(min(1.0, max(0.0, float(chance_of(value, len(values))))) for value in values)
