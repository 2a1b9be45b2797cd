"""When something comes again, by the clocks of a place: every second Tuesday, or the first Monday a month."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

Frequency = Literal["weekly", "monthly"]


@dataclass(frozen=True)
class Rule:
    """A rule for moments."""

    frequency: Frequency
    weekday: int
    """From 0, Monday."""
    minute: int
    """Of the day, by the clocks of the zone: it stays when they are changed."""
    since: float
    """Nothing comes before this moment, in seconds since the epoch; weeks and months are counted from it."""
    interval: int = 1
    """Every so many weeks, or months."""
    week: int = 1
    """Of the month: the first to the fourth such day, or -1, the last; for `monthly` alone."""
    zone: str = "UTC"
    """The name of a time zone."""

    def after(self, moment: float) -> Iterator[float]:
        """The moments that come after one, in order, without an end.

        A time that clocks leave out comes as much later as they are put forward; one that they show twice
        comes the first time.
        """
        from dateutil.rrule import MONTHLY, WEEKLY, rrule, weekday  # few requests need it

        day = weekday(self.weekday)
        place = ZoneInfo(self.zone)
        start = _shown(self.since, place)
        midnight = start.replace(hour=0, minute=0, second=0, microsecond=0)
        rule = rrule(
            WEEKLY if self.frequency == "weekly" else MONTHLY,
            dtstart=midnight + timedelta(minutes=self.minute),
            interval=self.interval,
            byweekday=day if self.frequency == "weekly" else day(self.week),
        )
        first = max(moment, self.since)
        for found in rule.xafter(_shown(first, place) - timedelta(days=1)):
            at = found.replace(tzinfo=place).timestamp()
            if at > first:
                yield at

    def next(self, moment: float) -> float:
        """The first moment after another."""
        return next(self.after(moment))


def _shown(moment: float, place: ZoneInfo) -> datetime:
    """What clocks show at a moment: without a zone, as the days of a rule are counted by what they show."""
    return datetime.fromtimestamp(moment, place).replace(tzinfo=None)
