"""When something comes again: every second Tuesday, or the first Monday of each month. In UTC."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

Frequency = Literal["weekly", "monthly"]


@dataclass(frozen=True)
class Rule:
    """A rule for moments."""

    frequency: Frequency
    weekday: int
    """From 0, Monday."""
    minute: int
    """Of the day."""
    since: float
    """Nothing comes before this moment, in seconds since the epoch; weeks and months are counted from it."""
    interval: int = 1
    """Every so many weeks, or months."""
    week: int = 1
    """Of the month: the first to the fourth such day, or -1, the last; for `monthly` alone."""

    def after(self, moment: float) -> Iterator[float]:
        """The moments that come after one, in order, without an end."""
        from dateutil.rrule import MONTHLY, WEEKLY, rrule, weekday  # few requests need it

        day = weekday(self.weekday)
        start = datetime.fromtimestamp(self.since, UTC)
        midnight = start.replace(hour=0, minute=0, second=0, microsecond=0)
        rule = rrule(
            WEEKLY if self.frequency == "weekly" else MONTHLY,
            dtstart=midnight + timedelta(minutes=self.minute),
            interval=self.interval,
            byweekday=day if self.frequency == "weekly" else day(self.week),
        )
        first = max(moment, self.since)
        for found in rule.xafter(datetime.fromtimestamp(first, UTC)):
            yield found.timestamp()

    def next(self, moment: float) -> float:
        """The first moment after another."""
        return next(self.after(moment))
