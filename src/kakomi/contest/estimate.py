"""Scores and Elo differences, each with its 95% interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

Z95 = 1.959964
"""The half-width of a 95% interval in standard deviations."""
IMAGINARY = 0.25
"""The variance of a game between equals. Every variance includes one imaginary block of such games, all
independent: otherwise a few blocks that happen to agree would seem to be certain."""


@dataclass(frozen=True)
class Estimate:
    """One side's score between 0 and 1, from a number of blocks, with its 95% interval.

    A block is all games on one opening, once from every seat. Openings favour a colour, so the games of a
    block aren't independent, but blocks are.
    """

    blocks: int
    score: float
    low: float
    high: float

    @property
    def elo(self) -> float:
        """The Elo difference for the score; infinite for a clean sweep."""
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

    The interval is Wilson's, for the number of independent games that would have the observed variance
    between blocks; if one side won everything, for the number of blocks.
    """
    if not scores:
        return None
    score = fmean(scores)
    spread = score * (1 - score)
    independent = spread * len(scores) / variance(scores, games_a_block) if spread else float(len(scores))
    return Estimate(len(scores), score, *_wilson(score, independent))


def stratified(strata: Sequence[Sequence[float]], games_a_block: Sequence[int]) -> Estimate | None:
    """The estimate of the mean score over several equally weighted matches; None if one is empty.

    `strata` holds the mean score of each block of each match, and `games_a_block` each match's block size.
    Differences between matches don't add uncertainty, because the matches are the whole population. The
    interval is computed as in `estimated`.
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
    """The variance of a block's mean score, including an imaginary block."""
    mean = fmean(scores)
    squares = sum((score - mean) ** 2 for score in scores)
    return (squares + IMAGINARY / games_a_block) / len(scores)


def elo_of(score: float) -> float:
    """The Elo difference at which a side's expected score is `score`."""
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return -400 * math.log10(1 / score - 1)


def score_of(elo: float) -> float:
    """The expected score of a side that is `elo` points stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def _wilson(score: float, n: float) -> tuple[float, float]:
    """Wilson's 95% interval: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical
    Inference", 1927."""
    shrunk = n + Z95**2
    middle = (score * n + Z95**2 / 2) / shrunk
    half = Z95 / shrunk * math.sqrt(score * (1 - score) * n + Z95**2 / 4)
    return max(0.0, middle - half), min(1.0, middle + half)
