"""Ratings of several entrants by the model of Bradley and Terry, fitted by the library choix.

R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", 1952. It is the model of Plackett
and Luce for results between two: R. L. Plackett, "The analysis of permutations", 1975, and R. D. Luce,
"Individual choice behavior", 1959. choix fits it by I-LSR: L. Maystre and M. Grossglauser, "Fast and accurate
inference of Plackett-Luce models", 2015.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kakomi.study.tournament.exceptions import MissingLibrary
from kakomi.study.tournament.statistics import Statistics

RESAMPLES = 400
IMAGINARY = 0.1
"""The number of imaginary wins of both over each other, for entrants who have met. They keep ratings
finite after a clean sweep. Between entrants who never met they would pull the ends of a ladder together."""
UNMET = 1e-6
"""Holds entrants together whom no chain of games connects yet; too little to be seen in any other rating."""
ELO = 400 / math.log(10)
"""Elo points in one unit of the model's logistic scale."""


@dataclass(frozen=True)
class Rating:
    """An entrant's Elo points, relative to the mean of all, with their 95% interval."""

    entrant: str
    elo: float
    low: float
    high: float


def check_library() -> None:
    """Raises MissingLibrary, saying how to get it."""
    try:
        import choix  # noqa: F401
    except ImportError:
        raise MissingLibrary(
            "ratings of more than two entrants need the library choix: pip install 'kakomi[study]'"
        ) from None


def ratings(statistics: Statistics, entrants: Sequence[str], *, seed: int = 1) -> list[Rating]:
    """The ratings of all entrants from the complete blocks, best first; none before the first block.

    The intervals come from resampling blocks with replacement. Raises MissingLibrary.
    """
    check_library()
    results = _results(statistics, entrants)
    if not results:
        return []
    rng = random.Random(seed)
    fits = np.array([_fitted(rng.choices(results, k=len(results)), entrants) for _ in range(RESAMPLES)])
    lows, highs = np.percentile(fits, [2.5, 97.5], axis=0)
    columns = zip(entrants, _fitted(results, entrants), lows, highs, strict=True)
    rated = [Rating(name, float(elo), float(low), float(high)) for name, elo, low, high in columns]
    return sorted(rated, key=lambda rating: -rating.elo)


_Result = tuple[int, int, float, int]
"""Of a block: two entrants by place, the first one's mean score, and the number of games."""


def _results(statistics: Statistics, entrants: Sequence[str]) -> list[_Result]:
    return [
        (i, j, score, statistics.games_a_block(entrants[i], entrants[j]))
        for i, j in combinations(range(len(entrants)), 2)
        for score in statistics.block_scores(entrants[i], entrants[j])
    ]


def _fitted(results: Sequence[_Result], entrants: Sequence[str]) -> np.ndarray:
    """Elo points by the entrants' places; a draw is half a win for both."""
    import choix

    wins = np.zeros((len(entrants), len(entrants)))
    for i, j, score, games in results:
        wins[i, j] += score * games
        wins[j, i] += (1 - score) * games
    wins += IMAGINARY * (wins + wins.T > 0)
    fit: np.ndarray = choix.ilsr_pairwise_dense(wins, alpha=UNMET) * ELO
    return fit
