"""Statistics of finished games: scores and Elo differences, each with its 95% interval, ratings of several
entrants, and the test that stops a match as soon as it is decided.

Ratings are those of the model of Bradley and Terry ("Rank analysis of incomplete block designs", 1952), which
is the model of Plackett and Luce for results between two: R. L. Plackett, "The analysis of permutations",
1975, and R. D. Luce, "Individual choice behavior", 1959. The library choix fits it by I-LSR: L. Maystre and
M. Grossglauser, "Fast and accurate inference of Plackett-Luce models", 2015.

The test is A. Wald's ("Sequential Tests of Statistical Hypotheses", 1945), with a generalised likelihood
ratio: each hypothesis has the likeliest distribution of blocks' scores whose mean is the one that it says (A.
Owen, "Empirical likelihood ratio confidence intervals for a single functional", 1988). The tester of chess
programs fastchess does the same for pairs, which have five scores.
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

from kakomi.study.tournament.games import MissingLibrary, Pairing, Played

Z95 = 1.959964
"""The standard deviations in half of a 95% interval."""
IMAGINARY = 0.25
"""The variance of a game between equals. One imaginary block of such games, independent ones, counts in
every variance: without it a few blocks that happen to agree would seem to leave no doubt."""


@dataclass(frozen=True)
class Estimate:
    """A score between 0 and 1 as seen by one side, from so many blocks, with its 95% interval.

    A block is all games on one opening, once from every seat. Openings favour a colour, so the games of
    a block aren't independent, but blocks are.
    """

    blocks: int
    score: float
    low: float
    high: float

    @property
    def elo(self) -> float:
        """The Elo difference that goes with the score; infinite for a clean sweep."""
        return elo_of(self.score)

    @property
    def elo_low(self) -> float:
        """The interval's lower end, in Elo."""
        return elo_of(self.low)

    @property
    def elo_high(self) -> float:
        """The interval's upper end, in Elo."""
        return elo_of(self.high)


def estimated(scores: Sequence[float], games_a_block: int) -> Estimate | None:
    """The estimate from the mean score of each block; None without any.

    The interval is Wilson's, for as many independent games as would give the variance that was seen
    between blocks; if one side won everything, for as many as there are blocks.
    """
    if not scores:
        return None
    score = fmean(scores)
    spread = score * (1 - score)
    independent = spread * len(scores) / variance(scores, games_a_block) if spread else float(len(scores))
    return Estimate(len(scores), score, *_wilson(score, independent))


def stratified(strata: Sequence[Sequence[float]], games_a_block: Sequence[int]) -> Estimate | None:
    """The estimate of the mean over several matches, each of which counts the same; None if one is empty.

    It takes the mean score of each block of each match, and the number of games in a block of each.
    Differences between matches are no uncertainty: the matches are all that there are. The interval is made
    as `estimated` makes it.
    """
    if not strata or not all(strata):
        return None
    score = fmean(fmean(scores) for scores in strata)
    spread = score * (1 - score)
    blocks = sum(map(len, strata))
    errors = (
        variance(scores, games) / len(scores) for scores, games in zip(strata, games_a_block, strict=True)
    )
    error = sum(errors) / len(strata) ** 2
    return Estimate(blocks, score, *_wilson(score, spread / error if spread else float(blocks)))


def variance(scores: Sequence[float], games_a_block: int) -> float:
    """The variance of a block's mean score, an imaginary block's included."""
    mean = fmean(scores)
    squares = sum((score - mean) ** 2 for score in scores)
    return (squares + IMAGINARY / games_a_block) / len(scores)


def elo_of(score: float) -> float:
    """The Elo difference at which a side is expected to score so much."""
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return -400 * math.log10(1 / score - 1)


def score_of(elo: float) -> float:
    """The expected score of a side that is so much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def _wilson(score: float, n: float) -> tuple[float, float]:
    """E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927."""
    shrunk = n + Z95**2
    middle = (score * n + Z95**2 / 2) / shrunk
    half = Z95 / shrunk * math.sqrt(score * (1 - score) * n + Z95**2 / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


Block = tuple[str, int, frozenset[str]]


@dataclass(frozen=True)
class Tally:
    """Games between two entrants as the first sees them."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses


class Statistics:
    """The games of a schedule that are finished so far."""

    def __init__(self, pairings: Sequence[Pairing]) -> None:
        self._sizes = Counter(pairing.block for pairing in pairings)
        self._played: dict[Block, list[Played]] = defaultdict(list)

    def add(self, played: Played) -> None:
        """Count one more game."""
        self._played[played.pairing.block].append(played)

    @property
    def games(self) -> list[Played]:
        """The finished games, block by block."""
        return [played for block in self._sizes for played in self._played[block]]

    def tally(self, one: str, other: str) -> Tally:
        """Wins, draws and losses of one entrant against another, of all finished games."""
        shares = [game.share(one, other) for game in self.games if {one, other} <= set(game.pairing.seats)]
        wins, losses = sum(share > 0.5 for share in shares), sum(share < 0.5 for share in shares)
        return Tally(wins, len(shares) - wins - losses, losses)

    def block_scores(self, one: str, other: str) -> list[float]:
        """One entrant's mean score against another in every complete block, in the schedule's order."""
        return [
            self._score(block, one, other) for block in self._meetings(one, other) if self._is_full(block)
        ]

    def leading_scores(self, one: str, other: str) -> list[float]:
        """The same up to the first block that isn't complete: so far the order in which games happen
        to end has no say."""
        full = takewhile(self._is_full, self._meetings(one, other))
        return [self._score(block, one, other) for block in full]

    def estimate(self, one: str, other: str) -> Estimate | None:
        """The estimate from complete blocks; None if there are none."""
        return estimated(self.block_scores(one, other), self.games_a_block(one, other))

    def games_a_block(self, one: str, other: str) -> int:
        """The number of games of the two that share an opening."""
        return max((self._sizes[block] for block in self._meetings(one, other)), default=1)

    def _meetings(self, one: str, other: str) -> Iterator[Block]:
        return (block for block in self._sizes if {one, other} <= block[2])

    def _is_full(self, block: Block) -> bool:
        return len(self._played[block]) == self._sizes[block]

    def _score(self, block: Block, one: str, other: str) -> float:
        return fmean(game.share(one, other) for game in self._played[block])


RESAMPLES = 400
IMAGINARY_GAMES = 0.1
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
    wins += IMAGINARY_GAMES * (wins + wins.T > 0)
    fit: np.ndarray = choix.ilsr_pairwise_dense(wins, alpha=UNMET) * ELO
    return fit


Verdict = Literal["H0", "H1"]
FEWEST_BLOCKS = 16
"""Fewer blocks tell too little of how scores are distributed to stop on."""
WIDEST_ELO = 1_000
"""Beyond that the stronger side hardly loses a game, and nearly all blocks say nothing."""
UNSEEN = 1e-3
"""How often a score that never came counts as seen, as in fastchess: it may come yet."""


@dataclass(frozen=True)
class Sprt:
    """H0: the first entrant is stronger by `elo0`. H1: by `elo1`, which is more.

    `alpha` is the chance to accept H1 though H0 holds, `beta` the other way round. Raises ValueError if
    these make no test.
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
        """At this log-likelihood ratio H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At this log-likelihood ratio H1 is accepted."""
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
        """The log-likelihood ratio, and which hypothesis is accepted. The first block at which the test
        could stop decides, however many more were played."""
        ratio = 0.0
        for blocks, ratio in enumerate(self.ratios(scores, games_a_block), 1):
            if blocks >= FEWEST_BLOCKS and not self.lower < ratio < self.upper:
                return ratio, "H1" if ratio >= self.upper else "H0"
        return ratio, None


@lru_cache(maxsize=50_000)
def _log_ratio(scores: tuple[float, ...], counts: tuple[int, ...], mean0: float, mean1: float) -> float:
    """The log-likelihood ratio of two means, by how often each score came.

    Kept, as every test of a match begins with the first block.
    """
    told = list(zip(scores, (count or UNSEEN for count in counts), strict=True))
    return _penalty(told, mean0) - _penalty(told, mean1)


def _penalty(told: Sequence[tuple[float, float]], mean: float) -> float:
    """How much less the logarithm of the likelihood is, at best, if scores have this mean.

    At best a score's share is the one that was seen, divided by 1 + tilt * (score - mean), with the one tilt
    that gives the mean. Newton's steps find it, and halves of the interval where they leave it.
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
