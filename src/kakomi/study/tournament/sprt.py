"""Stopping a match as soon as it is decided: the sequential probability ratio test.

A. Wald, "Sequential Tests of Statistical Hypotheses", 1945; with a normal likelihood of the blocks' mean
scores, whose variance is the one that was seen (the generalised test that chess engines' testers use).
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from kakomi.study.tournament.statistics import IMAGINARY, score_of

Verdict = Literal["H0", "H1"]
FEWEST_BLOCKS = 16
"""The variance of fewer blocks is too vague to stop on."""


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
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise ValueError("the first Elo difference must be smaller than the second, such as 0,50")
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
        score0, score1 = score_of(self.elo0), score_of(self.elo1)
        total = squares = 0.0
        for blocks, score in enumerate(scores, 1):
            total += score
            squares += score * score
            spread = (squares - total * total / blocks + IMAGINARY / games_a_block) / blocks
            yield (score1 - score0) * (total - blocks * (score0 + score1) / 2) / spread

    def verdict(self, scores: Iterable[float], games_a_block: int) -> tuple[float, Verdict | None]:
        """The log-likelihood ratio, and which hypothesis is accepted. The first block at which the test
        could stop decides, however many more were played."""
        ratio = 0.0
        for blocks, ratio in enumerate(self.ratios(scores, games_a_block), 1):
            if blocks >= FEWEST_BLOCKS and not self.lower < ratio < self.upper:
                return ratio, "H1" if ratio >= self.upper else "H0"
        return ratio, None
