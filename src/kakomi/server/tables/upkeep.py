"""What the site itself enters at a table: who rests, when it was down, and that somebody's time is up.

Whoever adds to a log has this entered first, so that a clock is right for whatever is done at that moment,
and a flag falls once, by the moment, whichever process comes by and whether or not anybody looks.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from django.db.models import F

from kakomi.server.django_private import PreparedQuery
from kakomi.server.rests import selectors as rests_selectors
from kakomi.server.rests import services as rests_services
from kakomi.server.rests.models import Rests
from kakomi.server.tables import deadlines, models, selectors
from kakomi.server.tables.commands import Value
from kakomi.server.uptime.heartbeat import OUTAGES
from kakomi.session import Entry, Table
from kakomi.session.events import outage_of, outage_value, rest_value
from kakomi.session.time_control import Span

_UNTOLD = PreparedQuery(
    lambda table: (
        models.Seat.objects.select_related("guest__rests")
        .filter(table=table)
        .filter(guest__rests__version__gt=F("rests_version"))
    )
)
"""The seats of those who have changed their rests since a table was told."""


def as_of(table: Table, now: float) -> Table:
    """A table for somebody who looks: its clocks take in downtime that the log doesn't have yet."""
    for outage in _untold(table, now):
        table = replace(
            table,
            clock=table.clock and table.clock.without(outage),
            start=table.start.without(outage),
        )
    return table


class SiteEntry(NamedTuple):
    """An entry of the site's, and the key under which it is entered once."""

    seat: int | None
    kind: str
    value: Value
    key: str


def owed(row: models.Table, table: Table, now: float) -> SiteEntry | None:
    """The next entry that the site has to make at a locked table; None if there is none."""
    if row.is_over or (row.due_at is None and row.pace != "days"):
        return None
    return next(_owed(row, table, now), None)


def _owed(row: models.Table, table: Table, now: float) -> Iterator[SiteEntry]:
    for outage in _untold(table, now):
        yield SiteEntry(None, "downtime", outage_value(outage), f"down.{outage[0]!r}")
    if row.pace == "days":
        yield from _rests(row, now)
    if row.due_at is None or now < row.due_at:
        return
    if not table.standing and row.seats.filter(guest=None, bot="").exists():
        yield SiteEntry(None, "abort", "not seated", "seats")
        return
    if due := table.due(now):
        if _takes_vacation(row, table, due):
            yield from _rests(row, now)
        yield SiteEntry(due.seat, due.kind, due.value, f"flag.{row.entries}")


def _untold(table: Table, now: float) -> list[Span]:
    """The outages that a table's log doesn't have yet and that its clocks need.

    Whoever adds an entry adds all of them first, so they ended after the last entry that is none itself. A
    process whose clock was behind may have told of one that ends later.
    """
    if table.next_due() is None:
        return []
    last = next((entry.at for entry in reversed(table.history) if entry.kind != "downtime"), table.begun_at)
    if not (ended := OUTAGES.since(last, now)):
        return []
    told = {outage_of(str(entry.value))[0] for entry in table.history if entry.kind == "downtime"}
    return [outage for outage in ended if outage[0] not in told]


def _rests(row: models.Table, now: float) -> Iterator[SiteEntry]:
    """The rests of those who have changed theirs since the table was told."""
    for seat in _UNTOLD.rows(row.pk):
        assert seat.guest is not None
        rests: Rests = seat.guest.rests
        calendar = rests_selectors.calendar_of(rests, min(rests.changed_at, now))
        row.seats.filter(pk=seat.pk).update(rests_version=rests.version)
        if seat.rests_version or not calendar.is_empty:
            value = rest_value(rests.changed_at, calendar)
            yield SiteEntry(seat.number, "rest", value, f"rest.{seat.number}.{rests.version}")


def _takes_vacation(row: models.Table, table: Table, due: Entry) -> bool:
    """Whether a day of vacation begins by itself instead of a flag, which it does once in a turn."""
    if due.kind != "flag" or row.pace != "days" or table.clock is None or table.clock.running is None:
        return False
    running, moment = table.clock.running, table.clock.deadline
    guest = next(seat.guest for seat in selectors.seats_of(row) if seat.number == running)
    if guest is None or table.match.seats[running].is_bot or moment is None:
        return False
    return rests_services.take_automatic_vacation(guest, moment, since=deadlines.turn_began(table))
