"""A schedule as its page shows it."""

from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from django.utils.dates import WEEKDAYS

from kakomi.server.schedules.forms import rhythm_label
from kakomi.server.schedules.models import Occurrence, Schedule
from kakomi.server.tournaments.presenters import Card

DATES = 3


@dataclass(frozen=True)
class ScheduleView:
    """A schedule, with the next dates."""

    row: Schedule
    now: float

    @property
    def card(self) -> Card:
        """What is played."""
        return Card(self.row.pattern, 0)

    @property
    def rhythm(self) -> str:
        """How often it comes."""
        return rhythm_label(self.row.rule)

    @property
    def weekday(self) -> str:
        """On which day."""
        return str(WEEKDAYS[self.row.weekday])

    @property
    def dates(self) -> list[float]:
        """The next moments at which its tournaments begin, announced or not."""
        return list(islice(self.row.rule.after(self.now), DATES))

    @cached_property
    def latest(self) -> Occurrence | None:
        """The last one that was announced."""
        return self.row.occurrences.select_related("tournament").last()


def schedule_views(now: float) -> list[ScheduleView]:
    """All schedules, those that are on first."""
    rows = Schedule.objects.select_related("pattern").order_by("-is_on", "next_at", "pk")
    return [ScheduleView(row, now) for row in rows]
