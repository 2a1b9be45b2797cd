"""The games of a report, arranged for its statistics."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from kakomi.core import Game
from kakomi.study.report.content import GameLink
from kakomi.study.report.estimates import Estimate, mean, share
from kakomi.study.report.plan import Sample
from kakomi.study.report.trace import GameId, Trace

FEWEST_GAMES = 6
"""Samples with fewer games get no point in charts over strength."""


@dataclass(frozen=True, eq=False)
class Study:
    """The traces of all games, by sample. Each statistic is a function from a study to a `Section`."""

    game: Game
    seed: int
    samples: Mapping[Sample, list[Trace]]

    @cached_property
    def strengths(self) -> list[tuple[Sample, list[Trace]]]:
        """Samples of equal players, weakest first: random play, then each level against itself. In a study of
        the user's records, the only sample."""
        alone = [
            (sample, games)
            for sample, games in self.samples.items()
            if sample.kind not in ("ladder", "mirror") and games
        ]
        return sorted(alone, key=lambda pair: pair[0].level)

    @cached_property
    def ladder(self) -> list[tuple[Sample, list[Trace]]]:
        """Samples of neighbouring levels, weakest first."""
        return sorted(
            ((sample, games) for sample, games in self.samples.items() if sample.kind == "ladder" and games),
            key=lambda pair: pair[0].level,
        )

    @property
    def best(self) -> Sample:
        """The sample of the strongest players."""
        return self.strengths[-1][0]

    @property
    def games(self) -> list[Trace]:
        """The games of the strongest players."""
        return self.strengths[-1][1]

    @property
    def random(self) -> list[Trace]:
        """The games of random play; empty in a study of records."""
        return next((games for sample, games in self.strengths if sample.kind == "random"), [])

    @property
    def searched(self) -> list[Trace]:
        """The games of the strongest players that have chances from searches."""
        return [trace for trace in self.games if trace.has_chances]

    @cached_property
    def trace_by_id(self) -> dict[GameId, Trace]:
        return {trace.id: trace for games in self.samples.values() for trace in games}

    def over_strength(
        self, estimate: Callable[[list[Trace]], Estimate | None], *, searched: bool = False
    ) -> list[tuple[Sample, Estimate]]:
        """The estimate at each strength that has enough games; with `searched`, only from games that have
        chances."""
        found = []
        for sample, games in self.strengths:
            chosen = [trace for trace in games if trace.has_chances] if searched else games
            one = estimate(chosen) if len(chosen) >= FEWEST_GAMES else None
            if one is not None:
                found.append((sample, one))
        return found


def mean_of(games: Iterable[Trace], value: Callable[[Trace], float]) -> Estimate | None:
    """The mean of a value of each game."""
    return mean((trace.block, value(trace), 1.0) for trace in games)


def share_of(games: Iterable[Trace], value: Callable[[Trace], float]) -> Estimate | None:
    """The mean of a value between 0 and 1 of each game, such as whether something happened in it."""
    return share((trace.block, float(value(trace)), 1.0) for trace in games)


def share_of_seat(seat: int) -> Callable[[Trace], float]:
    """A function from a game to a seat's share of the win."""
    return lambda trace: trace.shares[seat]


def typical(games: list[Trace], value: Callable[[Trace], float], middle: float, label: str) -> GameLink:
    """A link to the game whose value is nearest to `middle`."""
    nearest = min(games, key=lambda trace: (abs(value(trace) - middle), trace.id.number))
    return GameLink(nearest.id, label)


def extreme(games: list[Trace], value: Callable[[Trace], float], label: str, ply: int = 0) -> GameLink:
    """A link to the game whose value is largest."""
    found = max(games, key=lambda trace: (value(trace), -trace.id.number))
    return GameLink(found.id, label, ply)
