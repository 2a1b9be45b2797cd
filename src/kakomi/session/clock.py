"""The clocks of a game: the time left, and the deadline."""

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from math import ceil
from typing import Any, TypeVar

from kakomi.session.rests import Calendar
from kakomi.session.time_control import DAY, Pace, Span, TimeControl, counted, joined, moment_after

Record = TypeVar("Record")


def changed(record: Record, **changes: Any) -> Record:
    """Copy an instance of a dataclass with other values of some fields; faster than `replace`.

    Cached properties aren't copied. Raises TypeError for a class with `__post_init__` or an unknown field.
    """
    kind: Any = record.__class__
    names, kept = _names(kind), record.__dict__
    if not names.issuperset(changes):
        raise TypeError(f"{kind.__name__} has no fields {sorted(changes.keys() - names)}")
    if len(kept) != len(names):
        kept = {name: kept[name] for name in names}
    copy: Record = object.__new__(kind)
    copy.__dict__.update(kept, **changes)
    return copy


@cache
def _names(kind: Any) -> frozenset[str]:
    if hasattr(kind, "__post_init__"):
        raise TypeError(f"{kind.__name__} checks its fields: make it anew")
    return frozenset(field.name for field in fields(kind))


LONGEST_PAUSE: Mapping[Pace, float] = {"live": DAY, "days": 30 * DAY}
"""The seconds after which a pause ends automatically."""


@dataclass(frozen=True)
class Clock:
    """The clocks of all seats in one game. It never reads the system time; callers pass it in.

    A seat's first turn in a game neither uses nor adds time, so that nobody loses by arriving late; nor does
    settling komi and colours. No time runs during rests of the seat whose clock is running, pauses and
    downtime of the site.
    """

    time: TimeControl
    left: tuple[float, ...]
    """The seconds that each seat had left at the time `since`."""
    since: float
    running: int | None = None
    """The seat whose clock is running."""
    moved: frozenset[int] = frozenset()
    """The seats that have finished a turn."""
    delay: float = 0.0
    """The seconds of the running turn that didn't count yet at the time `since`."""
    calendars: tuple[Calendar, ...] = ()
    """The rests of each seat; empty if nobody has any."""
    pause: Span | None = None
    """The agreed pause, which may be in the past."""
    outages: tuple[Span, ...] = ()
    """The outages of the site that end after `since`, in order."""

    @staticmethod
    def begun(time: TimeControl, seats: int, at: float) -> "Clock":
        """Return the clocks before the first turn of a match's first game."""
        return Clock(time, (time.full,) * seats, at)

    def begun_again(self, at: float) -> "Clock":
        """Return the clocks before the first turn of the next game, with the same rests."""
        fresh = Clock.begun(self.time, len(self.left), at)
        return changed(fresh, calendars=self.calendars, outages=self.outages)

    @property
    def deadline(self) -> float | None:
        """The time at which the running clock expires; None if no clock is running."""
        if self.running is None:
            return None
        return moment_after(self.since, self.delay + self.left[self.running], self._rests(self.since))

    def remaining(self, now: float) -> tuple[float, ...]:
        """Return the seconds left for every seat."""
        used = max(self._used(now) - self.delay, 0.0)
        return tuple(
            max(left - used, 0.0) if seat == self.running else left for seat, left in enumerate(self.left)
        )

    def periods_left(self, seat: int, now: float) -> int:
        """Return a seat's unused byo-yomi periods; 0 for other kinds."""
        if not self.time.periods:
            return 0
        left = self.remaining(now)[seat]
        return min(self.time.periods, max(ceil(left / self.time.increment) - 1, 0))

    def at(self, now: float) -> "Clock":
        """Return the clocks at a time, not before `since`."""
        delay = max(self.delay - self._used(now), 0.0)
        outages = tuple(span for span in self.outages if span[1] > now)
        return changed(self, left=self.remaining(now), since=now, delay=delay, outages=outages)

    def stands_until(self, now: float) -> float | None:
        """Return the time at which the running clock resumes if it is stopped now; else None."""
        rest = next(iter(self._rests(now)), None) if self.running is not None else None
        return rest[1] if rest and rest[0] <= now else None

    def turn_finished(self, seat: int) -> "Clock":
        """Return the clocks after a seat's turn, with the time that the time control adds."""
        left = self.time.after_turn(self.left[seat], is_first=seat not in self.moved)
        return changed(self._given(seat, left), moved=self.moved | {seat})

    def running_for(self, seat: int | None) -> "Clock":
        """Return the clocks with that of a seat running, or none."""
        timed = seat if seat in self.moved else None
        if timed == self.running:
            return self
        fresh = timed is not None and self.time.is_by_turn
        clock = self._given(timed, self.time.full) if fresh and timed is not None else self
        delays = timed is not None and self.time.kind == "delay"
        return changed(clock, running=timed, delay=float(self.time.increment) if delays else 0.0)

    def rested(self, seat: int, calendar: Calendar, since: float) -> "Clock":
        """Return the clocks with a seat's new calendar from a time on, which may be in the past."""
        calendars = self.calendars or (Calendar(),) * len(self.left)
        before = self.at(max(since, self.since))
        return changed(before, calendars=(*calendars[:seat], calendar, *calendars[seat + 1 :]))

    def is_paused(self, at: float) -> bool:
        """Whether the players have paused the clocks."""
        return self.pause is not None and self.pause[0] <= at < self.pause[1]

    def renewed(self, seat: int) -> "Clock":
        """Return the clocks with a seat's full time, for a new player there."""
        return self._given(seat, self.time.full)

    def without(self, outage: Span) -> "Clock":
        """Return the clocks without the time of an outage."""
        return changed(self, outages=tuple(joined(sorted((*self.outages, outage)))))

    def _used(self, now: float) -> float:
        """Return the seconds after `since` that count for the running clock."""
        if self.running is None:
            return 0.0
        return counted(self.since, now, self._rests(self.since))

    def _rests(self, after: float) -> Iterable[Span]:
        """Return the spans after a time in which the running clock is stopped, in order."""
        single = (*self.outages, *((self.pause,) if self.pause else ()))
        known = sorted(span for span in single if span[1] > after)
        if not self.calendars or self.running is None:
            return joined(known) if len(known) > 1 else known
        return joined(heapq.merge(known, self.calendars[self.running].spans(after)))

    def _given(self, seat: int, left: float) -> "Clock":
        return changed(self, left=(*self.left[:seat], left, *self.left[seat + 1 :]))
