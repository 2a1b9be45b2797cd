"""Stopping a match as soon as it is decided: the sequential probability ratio test.

A. Wald, "Sequential Tests of Statistical Hypotheses", 1945, with a generalised likelihood ratio: each
hypothesis has the likeliest distribution of blocks' scores whose mean is the one that it says (A. Owen,
"Empirical likelihood ratio confidence intervals for a single functional", 1988). The tester of chess programs
fastchess does the same for pairs, which have five scores.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from kakomi.study.tournament.statistics import score_of

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
