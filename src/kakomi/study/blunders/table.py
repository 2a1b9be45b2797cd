"""What the games of a study come to: how often each bot throws a result away, by actions left."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kakomi.study.blunders.trial import Asked, GameTrial
from kakomi.study.report.estimates import Estimate, share

PARTS = 4
"""Columns, from few actions left to many."""


@dataclass(frozen=True)
class Rate:
    """How often something was thrown away in the critical positions of a column."""

    positions: int
    estimate: Estimate | None
    """The share with its 95 % interval, from the differences between games; None without any."""


@dataclass(frozen=True)
class Row:
    """A player's rates, column by column, then of all."""

    player: str
    rates: tuple[Rate, ...]


class BlunderTable:
    """The critical positions of some games, counted."""

    def __init__(self, trials: Sequence[GameTrial], bots: Sequence[str], tries: int, most: int) -> None:
        self._trials, self._bots, self._tries = trials, bots, tries
        width = -(-most // PARTS)
        self.columns = tuple((first, min(first + width - 1, most)) for first in range(1, most + 1, width))
        """Actions left, from and to."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self._trials)

    @property
    def positions(self) -> int:
        """How many positions were solved."""
        return sum(trial.positions for trial in self._trials)

    @property
    def critical(self) -> int:
        """In how many of them something could be thrown away."""
        return sum(len(trial.asked) for trial in self._trials)

    @property
    def cut_short(self) -> int:
        """In how many games the solver didn't come as far back as was wanted."""
        return sum(trial.is_cut_short for trial in self._trials)

    @property
    def chance(self) -> Row:
        """How often random play would throw something away: the share of such actions, which is exact for
        each position."""
        return self._row("random play", lambda asked: asked.chance)

    def rows(self) -> list[Row]:
        """The bots, in the order in which they were named."""
        return [self._row(bot, self._thrown_by(bot)) for bot in self._bots]

    def _thrown_by(self, bot: str) -> Callable[[Asked], float]:
        return lambda asked: asked.thrown[bot] / self._tries

    def _row(self, player: str, value: Callable[[Asked], float]) -> Row:
        columns = [*self.columns, (self.columns[0][0], self.columns[-1][1])]
        return Row(player, tuple(self._rate(first, last, value) for first, last in columns))

    def _rate(self, first: int, last: int, value: Callable[[Asked], float]) -> Rate:
        values = list(self._values(first, last, value))
        return Rate(len(values), share(values))

    def _values(
        self, first: int, last: int, value: Callable[[Asked], float]
    ) -> Iterator[tuple[str, float, float]]:
        for trial in self._trials:
            for asked in trial.asked:
                if first <= asked.left <= last:
                    yield str(trial.number), value(asked), 1.0
