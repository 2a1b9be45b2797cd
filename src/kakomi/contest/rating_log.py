"""Ratings from a log of results. The same log always gives exactly the same ratings."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from kakomi.contest.ratings import FIRST, Rating, rate

Name = TypeVar("Name", bound=Hashable)
"""The type of the names that identify entrants."""

_DAY = 24 * 3600.0


@dataclass(frozen=True)
class Standing:
    """An entrant's state after the log so far."""

    rating: Rating = FIRST
    games: int = 0
    at: float | None = None
    """The time of the last result, in seconds since the epoch."""
    time_outs: int = 0
    """The number of consecutive games, up to the last one, that they lost on time."""

    def rating_at(self, moment: float) -> Rating:
        """Return the rating at a time, in seconds since the epoch, less certain after a long absence."""
        return self.rating if self.at is None else self.rating.after_days((moment - self.at) / _DAY)


_NEW = Standing()


@dataclass(frozen=True)
class Series:
    """The rule for consecutive losses on time."""

    counted: int = 2
    """The number of consecutive ones that count like any loss."""
    variance: float = 3000.0
    """The variance, in points², that each further one adds to the person's rating."""


@dataclass(frozen=True)
class Entrant(Generic[Name]):
    """A player in a game."""

    name: Name
    place: int
    """The place, from 1; equals share one."""
    ran_out: bool = False
    """Whether they ran out of time."""


@dataclass(frozen=True)
class Outcome(Generic[Name]):
    """One entry of the log: the result of a game."""

    at: float
    """The end of the game, in seconds since the epoch."""
    entrants: Sequence[Entrant[Name]]
    counts: bool = True
    """False for an annulled result."""


@dataclass(frozen=True)
class Change:
    """The effect of one result on one entrant."""

    before: Standing
    rated: Rating
    """The rating at the end of the game, before its result was counted."""
    after: Standing
    counted: bool
    """Whether it changed the rating: not if the rating is fixed, or the result annulled or left out."""


def replay(
    outcomes: Iterable[Outcome[Name]],
    standings: MutableMapping[Name, Standing],
    fixed: Mapping[Name, Rating],
    series: Series | None = None,
) -> Iterator[list[Change]]:
    """Yield the changes by each result of a log, in order, and update `standings`.

    `fixed` contains the ratings that never change, which anchor the scale. With a `series`, entrants who lose
    on time more often in succession than it counts are left out of the game, and the others are rated
    among themselves.
    """
    for outcome in outcomes:
        changes = _changes(outcome, standings, fixed, series)
        for entrant, change in zip(outcome.entrants, changes, strict=True):
            standings[entrant.name] = change.after
        yield changes


def _changes(
    outcome: Outcome[Name],
    standings: Mapping[Name, Standing],
    fixed: Mapping[Name, Rating],
    series: Series | None,
) -> list[Change]:
    entrants = outcome.entrants
    before = [standings.get(entrant.name, _NEW) for entrant in entrants]
    rated = [
        fixed[entrant.name] if entrant.name in fixed else standing.rating_at(outcome.at)
        for entrant, standing in zip(entrants, before, strict=True)
    ]
    if not outcome.counts:
        return [Change(was, now, was, counted=False) for was, now in zip(before, rated, strict=True)]
    left_out = {
        i
        for i, was in enumerate(before)
        if series and entrants[i].ran_out and was.time_outs >= series.counted
    }
    learned = _learned(rated, entrants, left_out)
    changes = []
    for i, (entrant, was) in enumerate(zip(entrants, before, strict=True)):
        if entrant.name in fixed:
            changes.append(Change(was, rated[i], was, counted=False))
            continue
        rating = rated[i].widened(series.variance) if series and i in left_out else learned.get(i, rated[i])
        time_outs = was.time_outs + 1 if entrant.ran_out else 0
        after = Standing(rating, was.games + (i in learned), outcome.at, time_outs)
        changes.append(Change(was, rated[i], after, i in learned))
    return changes


def _learned(
    rated: Sequence[Rating], entrants: Sequence[Entrant[Name]], left_out: Collection[int]
) -> dict[int, Rating]:
    """Return entrant number -> new rating; empty if fewer than two entrants count."""
    counting = [i for i in range(len(entrants)) if i not in left_out]
    if len(counting) < 2:
        return {}
    found = rate([rated[i] for i in counting], [entrants[i].place for i in counting])
    return dict(zip(counting, found, strict=True))
