"""A player's rests: the times when their clock doesn't run in correspondence games (games over days)."""

import heapq
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from kakomi.core.i18n import lazy_error, lazy_message, truncated_repr
from kakomi.session.exceptions import Refused
from kakomi.session.time_control import Span, joined

DAY = 24 * 3600
MOST_WEEKEND_DAYS = 2
MOST_SLEEP = 12 * 60
"""The maximum hours of sleep per day, in minutes."""
MOST_SPANS = 400
"""The maximum number of vacations, and of offset changes, in a calendar."""
LONGEST_CALENDAR = 20_000
"""The maximum number of characters of a calendar's text."""

RestReason = Literal["vacation", "weekend", "sleep"]


@dataclass(frozen=True)
class Calendar:
    """The rests of a player. Raises Refused for an invalid calendar.

    It includes everything that it depends on, even the offsets of its time zone, so later changes of time
    zone rules don't affect it. Times are in seconds since the epoch.
    """

    zone: str = "UTC"
    """The time zone's name, for display only; `offsets` are used for computations."""
    offsets: tuple[tuple[float, int], ...] = ()
    """(time, seconds east of UTC from then on), in order; the first also applies earlier. Empty: UTC."""
    weekend: tuple[int, ...] = ()
    """The days of the week; 0 is Monday."""
    sleep: tuple[int, int] | None = None
    """The first and last minute of the local day; the last may be on the next day."""
    vacations: tuple[Span, ...] = ()
    """The vacations, in order."""

    def __post_init__(self) -> None:
        if len(set(self.weekend)) != len(self.weekend) or not set(self.weekend) <= set(range(7)):
            raise Refused(lazy_message("weekend days must be different days of the week"))
        if len(self.weekend) > MOST_WEEKEND_DAYS:
            raise Refused(lazy_message("a weekend can have up to {most} days", most=MOST_WEEKEND_DAYS))
        if self.sleep is not None:
            self._check_sleep(*self.sleep)
        if len(self.vacations) > MOST_SPANS or len(self.offsets) > MOST_SPANS:
            raise Refused(lazy_message("you can have up to {most} vacations", most=MOST_SPANS))
        if any(start >= end for start, end in self.vacations):
            raise Refused(lazy_message("a vacation must end after it starts"))
        if any(a[1] > b[0] for a, b in itertools.pairwise(self.vacations)):
            raise Refused(lazy_message("vacations can’t overlap"))
        if any(a[0] >= b[0] for a, b in itertools.pairwise(self.offsets)):
            raise Refused("a zone's offsets are in order")
        if any(not -DAY < offset < DAY for _, offset in self.offsets):
            raise Refused("a zone's offset is less than a day")

    def _check_sleep(self, start: int, end: int) -> None:
        if not (0 <= start < DAY // 60 and 0 <= end < DAY // 60):
            raise Refused(lazy_message("sleeping hours must be times of day"))
        if not 0 < (end - start) % (DAY // 60) <= MOST_SLEEP:
            raise lazy_error(
                Refused, "sleeping hours can be up to {hours} hours a day", hours=MOST_SLEEP // 60
            )

    @property
    def is_empty(self) -> bool:
        """Whether there are no rests."""
        return not (self.weekend or self.sleep or self.vacations)

    def spans(self, after: float) -> Iterator[Span]:
        """Yield the rests that end after a time, merged and in order; often infinitely many."""
        vacations = (span for span in self.vacations if span[1] > after)
        return joined(heapq.merge(vacations, self._regular(after)))

    def reason(self, at: float) -> RestReason | None:
        """Return why the player rests at a time; None if they don't."""
        if any(start <= at < end for start, end in self.vacations):
            return "vacation"
        day, second = divmod(int(at // 1) + self._offset(at), DAY)
        if (day + 3) % 7 in self.weekend:  # the epoch began on a Thursday
            return "weekend"
        is_asleep = any(start <= second < end for start, end in self._night())
        return "sleep" if is_asleep else None

    def to_text(self) -> str:
        """Return the canonical text of the calendar."""
        data = {
            "zone": self.zone,
            "offsets": [(float(at), offset) for at, offset in self.offsets],
            "weekend": self.weekend,
            "sleep": self.sleep,
            "vacations": [(float(start), float(end)) for start, end in self.vacations],
        }
        return json.dumps({name: value for name, value in data.items() if value}, separators=(",", ":"))

    @staticmethod
    def from_text(text: str) -> "Calendar":
        """Read a calendar from its text. Raises Refused if it is malformed."""
        try:
            data = json.loads(text[:LONGEST_CALENDAR])
            if not isinstance(data, Mapping):
                raise TypeError
            return Calendar(
                zone=str(data.get("zone", "UTC")),
                offsets=tuple((_number(at), _whole(offset)) for at, offset in data.get("offsets", ())),
                weekend=tuple(map(_whole, data.get("weekend", ()))),
                sleep=_sleep(data.get("sleep")),
                vacations=tuple((_number(start), _number(end)) for start, end in data.get("vacations", ())),
            )
        except Refused:
            raise
        except (TypeError, ValueError, RecursionError):
            raise Refused(f"this is no calendar of rests: {truncated_repr(text)}") from None

    def _regular(self, after: float) -> Iterator[Span]:
        """Yield weekends and hours of sleep that end after a time, in order."""
        if not self.weekend and not self.sleep:
            return
        changes = [at for at, _ in self.offsets[1:] if at > after]
        start = after
        for end in (*changes, None):
            yield from self._with_one_offset(start, end, self._offset(start))
            start = end if end is not None else start

    def _with_one_offset(self, start: float, end: float | None, offset: int) -> Iterator[Span]:
        for day in itertools.count(int((start + offset) // DAY)):
            midnight = day * DAY - offset
            if end is not None and midnight >= end:
                return
            hours = ((0, DAY),) if (day + 3) % 7 in self.weekend else self._night()
            for first, last in hours:
                begins = max(midnight + first, start)
                ends = midnight + last if end is None else min(midnight + last, end)
                if begins < ends:
                    yield float(begins), float(ends)

    def _night(self) -> tuple[tuple[int, int], ...]:
        """Return the spans of sleep in a local day, in seconds."""
        if self.sleep is None:
            return ()
        start, end = (60 * minute for minute in self.sleep)
        return ((start, end),) if start < end else ((0, end), (start, DAY))

    def _offset(self, at: float) -> int:
        """Return the zone's offset at a time, in seconds."""
        found = self.offsets[0][1] if self.offsets else 0
        for moment, offset in self.offsets:
            if moment > at:
                break
            found = offset
        return found


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 1e11:
        raise ValueError
    return float(value)


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise ValueError
    return value


def _sleep(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    start, end = value
    return _whole(start), _whole(end)
