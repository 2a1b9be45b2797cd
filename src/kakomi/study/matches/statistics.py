"""Statistics of finished games: tallies and scores of pairs of entrants, ratings of several entrants, and a
sequential test that stops a match as soon as it is decided.

Ratings use the Bradley–Terry model (R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block
designs", 1952), the two-player case of the Plackett–Luce model: R. L. Plackett, "The analysis of
permutations", 1975, and R. D. Luce, "Individual choice behavior", 1959. The library choix fits it by I-LSR:
L. Maystre and M. Grossglauser, "Fast and accurate inference of Plackett-Luce models", 2015.

The test is A. Wald's ("Sequential Tests of Statistical Hypotheses", 1945), with a generalised likelihood
ratio: each hypothesis gets the likeliest distribution of block scores with the mean that it states (A. Owen,
"Empirical likelihood ratio confidence intervals for a single functional", 1988). The chess engine tester
fastchess does the same for pairs of games, which have five possible scores.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, takewhile
from statistics import fmean
from typing import Literal

import numpy as np

from kakomi.contest.estimate import Estimate, estimated, score_of
from kakomi.study.matches.games import MissingLibrary, Pairing, Played

Block = tuple[str, int, frozenset[str]]


@dataclass(frozen=True)
class Tally:
    """Results between two entrants, from the first one's view."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses


class Statistics:
    """Statistics of the finished games of a schedule."""

    def __init__(self, pairings: Sequence[Pairing]) -> None:
        self._sizes = Counter(pairing.block for pairing in pairings)
        self._played: dict[Block, list[Played]] = defaultdict(list)

    def add(self, played: Played) -> None:
        """Add a finished game."""
        self._played[played.pairing.block].append(played)

    @property
    def games(self) -> list[Played]:
        """The finished games, block by block."""
        return [played for block in self._sizes for played in self._played[block]]

    def tally(self, one: str, other: str) -> Tally:
        """One entrant's wins, draws and losses against another in all finished games."""
        shares = [game.share(one, other) for game in self.games if {one, other} <= set(game.pairing.seats)]
        wins, losses = sum(share > 0.5 for share in shares), sum(share < 0.5 for share in shares)
        return Tally(wins, len(shares) - wins - losses, losses)

    def block_scores(self, one: str, other: str) -> list[float]:
        """One entrant's mean score against another in every complete block, in the schedule's order."""
        return [
            self._score(block, one, other) for block in self._meetings(one, other) if self._is_full(block)
        ]

    def leading_scores(self, one: str, other: str) -> list[float]:
        """The same scores, only up to the first incomplete block, so that they don't depend on the order in
        which games end."""
        full = takewhile(self._is_full, self._meetings(one, other))
        return [self._score(block, one, other) for block in full]

    def estimate(self, one: str, other: str) -> Estimate | None:
        """The estimate from complete blocks; None if there are none."""
        return estimated(self.block_scores(one, other), self.games_a_block(one, other))

    def games_a_block(self, one: str, other: str) -> int:
        """The number of games between the two on each opening."""
        return max((self._sizes[block] for block in self._meetings(one, other)), default=1)

    def _meetings(self, one: str, other: str) -> Iterator[Block]:
        return (block for block in self._sizes if {one, other} <= block[2])

    def _is_full(self, block: Block) -> bool:
        return len(self._played[block]) == self._sizes[block]

    def _score(self, block: Block, one: str, other: str) -> float:
        return fmean(game.share(one, other) for game in self._played[block])


RESAMPLES = 400
IMAGINARY_GAMES = 0.1
"""The number of imaginary wins over each other for entrants who have met, which keep ratings finite after a
clean sweep. Between entrants who never met, they would pull the ends of a ladder together."""
UNMET = 1e-6
"""A regularization that connects entrants not yet connected by games; too small to affect other ratings."""
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
    """Raise MissingLibrary, saying how to install it, if the library choix is missing."""
    try:
        import choix  # noqa: F401
    except ImportError:
        raise MissingLibrary(
            "ratings of more than two entrants need the library choix: pip install 'kakomi[study]'"
        ) from None


def ratings(statistics: Statistics, entrants: Sequence[str], *, seed: int = 1) -> list[Rating]:
    """The ratings of all entrants from complete blocks, best first; empty before the first block.

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
"""A block's result: the indices of two entrants, the first one's mean score, and the number of games."""


def _results(statistics: Statistics, entrants: Sequence[str]) -> list[_Result]:
    return [
        (i, j, score, statistics.games_a_block(entrants[i], entrants[j]))
        for i, j in combinations(range(len(entrants)), 2)
        for score in statistics.block_scores(entrants[i], entrants[j])
    ]


def _fitted(results: Sequence[_Result], entrants: Sequence[str]) -> np.ndarray:
    """The entrants' Elo points, in order; a draw counts as half a win for both."""
    import choix

    wins = np.zeros((len(entrants), len(entrants)))
    for i, j, score, games in results:
        wins[i, j] += score * games
        wins[j, i] += (1 - score) * games
    wins += IMAGINARY_GAMES * (wins + wins.T > 0)
    fit: np.ndarray = choix.ilsr_pairwise_dense(wins, alpha=UNMET) * ELO
    return fit


Verdict = Literal["H0", "H1"]
FEWEST_BLOCKS = 16
"""The fewest blocks to stop at: fewer say too little about the distribution of scores."""
WIDEST_ELO = 1_000
"""Beyond this, the stronger side hardly ever loses, and nearly all blocks are uninformative."""
UNSEEN = 1e-3
"""The count of a score that hasn't occurred yet, as in fastchess."""


@dataclass(frozen=True)
class Sprt:
    """A sequential test of H0 (the first entrant is `elo0` stronger) against H1 (it is `elo1` stronger).

    `alpha` is the probability of accepting H1 although H0 is true, `beta` of the opposite error. Raises
    ValueError unless `elo0` < `elo1`, and for values out of range.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -WIDEST_ELO <= self.elo0 < self.elo1 <= WIDEST_ELO:
            raise ValueError(
                "the first Elo difference must be smaller than the second, such as 0,50, "
                f"and both between -{WIDEST_ELO} and {WIDEST_ELO}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta are chances between 0 and 0.5")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def ratios(self, scores: Iterable[float], games_a_block: int) -> Iterator[float]:
        """The log-likelihood ratio of H1 to H0 after each block."""
        means = score_of(self.elo0), score_of(self.elo1)
        halves = 2 * games_a_block
        counts = dict.fromkeys((half / halves for half in range(halves + 1)), 0)
        for score in scores:
            counts[score] = counts.get(score, 0) + 1
            yield _log_ratio(tuple(counts), tuple(counts.values()), *means)

    def verdict(self, scores: Iterable[float], games_a_block: int) -> tuple[float, Verdict | None]:
        """The log-likelihood ratio, and the accepted hypothesis or None. The first block at which the test
        could stop decides, even if more were played."""
        ratio = 0.0
        for blocks, ratio in enumerate(self.ratios(scores, games_a_block), 1):
            if blocks >= FEWEST_BLOCKS and not self.lower < ratio < self.upper:
                return ratio, "H1" if ratio >= self.upper else "H0"
        return ratio, None


@lru_cache(maxsize=50_000)
def _log_ratio(scores: tuple[float, ...], counts: tuple[int, ...], mean0: float, mean1: float) -> float:
    """The log-likelihood ratio of two means, from the count of each score.

    Cached, because every test of a match starts again at the first block.
    """
    told = list(zip(scores, (count or UNSEEN for count in counts), strict=True))
    return _penalty(told, mean0) - _penalty(told, mean1)


def _penalty(told: Sequence[tuple[float, float]], mean: float) -> float:
    """How far the maximum log-likelihood drops if the scores must have this mean.

    In the likeliest distribution, a score's probability is its observed share divided by
    1 + tilt * (score - mean), with the only tilt that gives the mean. Newton's method finds it, with
    bisection wherever a step leaves the bracketing interval.
    """
    apart = [(score - mean, count) for score, count in told]
    tilt, least, most = 0.0, -1 / (1 - mean), 1 / mean
    for _ in range(200):
        slope = curve = 0.0
        for each, count in apart:
            share = each / (1 + tilt * each)
            slope += share * count
            curve += share * share * count
        least, most = (tilt, most) if slope > 0 else (least, tilt)
        before, tilt = tilt, tilt + slope / curve
        if not least < tilt < most:
            tilt = (least + most) / 2
        if abs(tilt - before) <= 1e-12 * abs(tilt):
            break
    return sum(count * math.log1p(tilt * each) for each, count in apart)
