"""What finished games say about two entrants: score and Elo difference, each with its 95% interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

Z95 = 1.959964
"""So many standard deviations make an interval of 95%."""
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
