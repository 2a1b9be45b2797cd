"""What is coming, month by month."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from kakomi.server.accounts.models import Guest
from kakomi.server.calendars.events import Event, deadlines, events_of
from kakomi.server.tournaments.models import Tournament


@dataclass(frozen=True)
class Month:
    """What happens in a month."""

    first: datetime
    """A moment in it."""
    events: Sequence[Event]


def coming_months(guest: Guest | None, now: float) -> list[Month]:
    """All tournaments, and the deadlines of a viewer's games: those that are still to come."""
    own = deadlines(guest) if guest else ()
    found = [event for event in (*events_of(Tournament.objects.all(), now), *own) if event.at >= now]
    ordered = sorted(found, key=lambda event: (event.at, event.uid))
    grouped = groupby(ordered, key=lambda event: datetime.fromtimestamp(event.at, UTC).replace(day=1).date())
    return [_month(list(events)) for _, events in grouped]


def _month(events: Sequence[Event]) -> Month:
    return Month(datetime.fromtimestamp(events[0].at, UTC), events)
