"""Statistics of finished games: scores and Elo differences, each with its 95% interval."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from statistics import fmean

from kakomi.study.tournament.pairing import Pairing
from kakomi.study.tournament.played import Played

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
