"""Ratings from a log of results: the same log always gives the same ratings, to the last digit."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from kakomi.contest.ratings import FIRST, Rating, rate

Name = TypeVar("Name", bound=Hashable)
"""What tells entrants apart."""

_DAY = 24 * 3600.0


@dataclass(frozen=True)
class Standing:
    """All that a log has said about somebody so far."""

    rating: Rating = FIRST
    games: int = 0
    at: float | None = None
    """The moment of the last result, in seconds since the epoch."""
    time_outs: int = 0
    """The number of results in succession, up to the last one, in which their time was up."""

    def rating_at(self, moment: float) -> Rating:
        """What is known at a moment, in seconds since the epoch: the longer ago the last result, the less."""
        return self.rating if self.at is None else self.rating.after_days((moment - self.at) / _DAY)


_NEW = Standing()


@dataclass(frozen=True)
class Series:
    """The rule for somebody whose time is up in one game after the other."""

    counted: int = 2
    """So many in succession count like any loss."""
    variance: float = 3000.0
    """By how much each later one makes the person's rating less certain, in points²."""


@dataclass(frozen=True)
class Entrant(Generic[Name]):
    """Somebody in a game."""

    name: Name
    place: int
    """From 1; equals share one."""
    ran_out: bool = False
    """Whether they left the game because their time was up."""


@dataclass(frozen=True)
class Outcome(Generic[Name]):
    """One line of the log."""

    at: float
    """The end, in seconds since the epoch."""
    entrants: Sequence[Entrant[Name]]
    counts: bool = True
    """False for a result that was annulled."""


@dataclass(frozen=True)
class Change:
    """What one result meant for one entrant."""

    before: Standing
    rated: Rating
    """What was known when the game ended, before it counted."""
    after: Standing
    counted: bool
    """Whether it changed the rating: not for a fixed one, nor a result that was annulled or left out."""


def replay(
    outcomes: Iterable[Outcome[Name]],
    standings: MutableMapping[Name, Standing],
    fixed: Mapping[Name, Rating],
    series: Series | None = None,
) -> Iterator[list[Change]]:
    """What each result of a log meant for its entrants, in order; `standings` goes along.

    `fixed` are the ratings that never change, which hold the scale. With a `series`, whoever runs out of
    time more often in succession than it counts is left out of the game, and the others are rated among
    themselves.
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
    left_out = {i for i, was in enumerate(before) if series and _is_left_out(entrants[i], was, series)}
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
    """The new ratings, by number of the entrant; none if nobody is left to compare with."""
    counting = [i for i in range(len(entrants)) if i not in left_out]
    if len(counting) < 2:
        return {}
    found = rate([rated[i] for i in counting], [entrants[i].place for i in counting])
    return dict(zip(counting, found, strict=True))


def _is_left_out(entrant: Entrant[Name], before: Standing, series: Series) -> bool:
    return entrant.ran_out and before.time_outs >= series.counted
