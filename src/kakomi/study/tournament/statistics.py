"""How a match stands: what its finished games add up to."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from statistics import fmean

from kakomi.study.tournament.estimate import Estimate, estimated
from kakomi.study.tournament.pairing import Pairing
from kakomi.study.tournament.played import Played

Block = tuple[str, int, frozenset[str]]


@dataclass(frozen=True)
class Tally:
    """Games between two entrants as the first sees them."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many there were."""
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
        """What the complete blocks say; None if there are none."""
        return estimated(self.block_scores(one, other), self.games_a_block(one, other))

    def games_a_block(self, one: str, other: str) -> int:
        """How many games of the two share an opening."""
        return max((self._sizes[block] for block in self._meetings(one, other)), default=1)

    def _meetings(self, one: str, other: str) -> Iterator[Block]:
        return (block for block in self._sizes if {one, other} <= block[2])

    def _is_full(self, block: Block) -> bool:
        return len(self._played[block]) == self._sizes[block]

    def _score(self, block: Block, one: str, other: str) -> float:
        return fmean(game.share(one, other) for game in self._played[block])
