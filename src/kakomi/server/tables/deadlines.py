"""Deadlines at tables, the entries that the site then makes itself, and claims of tables whose bot is to act.

The site waits for people to sit down and start, and reminds them to act. It enters time off, downtime and
flags.
"""

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, QuerySet

from kakomi.server.site import clock
from kakomi.server.site.database import outside_requests
from kakomi.server.site.django_private import PreparedQuery
from kakomi.server.site.jobs import Work
from kakomi.server.tables import models, selectors, vacations
from kakomi.server.tables.commands import Value
from kakomi.server.tables.models import TimeOff
from kakomi.server.tables.outages import OUTAGES
from kakomi.session import Entry, Pace, Table
from kakomi.session.events import NON_BLOCKING_KINDS, outage_of, outage_value, rest_value
from kakomi.session.time_control import DAY, Span

START_SECONDS: Mapping[Pace | None, float] = {"live": 300.0, "days": 7 * DAY, None: 30 * DAY}
"""The time for komi, colour and first turn, each, by pace; None is a game without a clock."""
SEATING_SECONDS: Mapping[Pace | None, float] = {"live": 7 * DAY, "days": 30 * DAY, None: 30 * DAY}
"""The time from the opening of a table until all seats are taken, by pace."""
WARNING_SECONDS = DAY
"""The time of the last reminder before a turn's deadline, unless half the time for the turn is less."""
NUDGE_SECONDS = 7 * DAY
"""The time of the first reminder after a turn's beginning, unless a third of the time is less."""
LEAST_TURN = 3 * DAY
"""Turns with less time than this have a single reminder."""
LEAST_WAIT = 2 * 3600.0
"""The least time between the beginning of a turn and a reminder."""


def start_limit(people: Sequence[int | None], pace: Pace | None) -> float | None:
    """The limit for first decisions, in seconds, if two or more people play, else None.

    `people` are the primary keys of the guests on the seats without bots; None is a free seat.
    """
    known = {person for person in people if person is not None}
    free = sum(person is None for person in people)
    return START_SECONDS[pace] if len(known) + free > 1 else None


def due_at(table: Table, *, is_free: bool) -> float | None:
    """When the site has to act if nothing happens before, in seconds since the epoch, or None."""
    if is_free and not table.is_over:
        pace = table.time.pace if table.time else None
        return None if table.start.limit is None else table.begun_at + SEATING_SECONDS[pace]
    return table.next_due()


def reminders(table: Table) -> tuple[float, ...]:
    """The times at which the player to act is reminded: after a third of their time (or the interval that the
    time control sets), and before it runs out. The first reminder waits for the end of a rest."""
    if table.to_act is None or table.match.seats[table.to_act].is_bot:
        return ()
    began = max(turn_began(table), table.start.since)
    if table.time is None:
        has_waiting = table.start.limit is not None and table.start.is_everybody_in(table.match)
        return (began + NUDGE_SECONDS,) if has_waiting else ()
    due = table.next_due()
    if table.time.pace != "days" or due is None:
        return ()
    last = max(due - WARNING_SECONDS, (began + due) / 2)
    nag = table.time.nag
    first = began + (nag or min((due - began) / 3, NUDGE_SECONDS))
    first = (table.clock and table.clock.stands_until(first)) or first
    has_both = (nag or due - began >= LEAST_TURN) and first < last - LEAST_WAIT
    wanted = (first, last) if has_both else (first if nag else last,)
    return wanted if last >= began + LEAST_WAIT else ()


def warn_at(row: models.Table, table: Table) -> float | None:
    """The time of the next reminder to the player to act; None if there is none."""
    moments, has_been = reminders(table), row.warned == turn_number(table)
    return next((moment for moment in moments if not has_been or moment > clock.now()), None)


def turn_number(table: Table) -> int:
    """Identify the current turn by a number: the length of the log when it began."""
    number = table.entries
    for entry in reversed(table.history):
        if entry.kind not in NON_BLOCKING_KINDS and entry.kind not in _OFFER_KINDS:
            break
        number -= 1
    return number


def turn_began(table: Table) -> float:
    """The time at which the current turn began, in seconds since the epoch."""
    number = turn_number(table)
    return table.history[number - 1].at if number else table.begun_at


_OFFER_KINDS = ("offer", "decline", "withdraw")
"""Kinds of entries that leave the decision to the same player."""


CLAIM_SECONDS = 4.0
"""How long a claim is valid unless it is renewed, as when its process was killed or its bot failed."""
RENEW_SECONDS = 1.0

BROWSER_SECONDS, SLOW_BROWSER = 4.0, 1000
"""How long a browser may take for a decision, besides its simulations, and their number in a second."""
_BROWSER = "browser"


class Claims:
    """A process's claims (leases) to run the bots of tables. A claim ends with the table's next entry."""

    def __init__(self) -> None:
        self._name = secrets.token_hex(16)

    @outside_requests
    def unclaimed(self) -> list[str]:
        """The codes of all unclaimed tables with a bot to act."""
        now = clock.now()
        return list(_unclaimed(now).values_list("code", flat=True)) if _UNCLAIMED.is_there(now) else []

    @outside_requests
    def take(self, code: str) -> bool:
        """Claim a table. Returns False if another process has claimed it."""
        until = clock.now() + CLAIM_SECONDS
        return bool(_open(clock.now()).filter(code=code).update(thinker=self._name, claimed_until=until))

    @outside_requests
    def renew(self, codes: Collection[str]) -> None:
        """Renew the claims to these tables that still exist."""
        until = clock.now() + CLAIM_SECONDS
        self._own().filter(code__in=codes).update(claimed_until=until)

    @outside_requests
    def give_up(self) -> None:
        """Release all claims."""
        self._own().update(claimed_until=0.0)

    def _own(self) -> "QuerySet[models.Table]":
        return models.Table.objects.filter(waits_for_bot=True, thinker=self._name, claimed_until__gt=0.0)


def await_browser(row: models.Table, simulations: int) -> None:
    """Leave a bot's decision, a search with so many simulations, to its opponent's browser for a while."""
    now = clock.now()
    until = now + BROWSER_SECONDS + simulations / SLOW_BROWSER
    _open(now).filter(pk=row.pk, entries=row.entries).update(thinker=_BROWSER, claimed_until=until)


def stop_awaiting_browser(row: models.Table) -> None:
    """Let an engine here decide."""
    models.Table.objects.filter(pk=row.pk, thinker=_BROWSER).update(claimed_until=0.0)


def _open(now: float) -> "QuerySet[models.Table]":
    return models.Table.objects.filter(waits_for_bot=True, claimed_until__lt=now)


def _unclaimed(now: float) -> "QuerySet[models.Table]":
    """All unclaimed tables with a bot to act and no free seat."""
    nobody_there = models.Seat.objects.filter(table=OuterRef("pk"), guest=None, bot="")
    return _open(now).filter(~Exists(nobody_there))


_UNCLAIMED = Work(_unclaimed)


_CHANGED_TIME_OFF = PreparedQuery(
    lambda table: (
        models.Seat.objects.select_related("guest__time_off")
        .filter(table=table)
        .filter(guest__time_off__version__gt=F("time_off_version"))
    )
)
"""The seats whose guests have changed their time off since it was last entered in the table's log."""


def as_of(table: Table, now: float) -> Table:
    """A table for display: its clocks take into account downtime that the log doesn't have yet."""
    for outage in _missing_outages(table, now):
        table = replace(
            table,
            clock=table.clock and table.clock.without(outage),
            start=table.start.without(outage),
        )
    return table


class SiteEntry(NamedTuple):
    """An entry made by the site, and the key that ensures it is added once."""

    seat: int | None
    kind: str
    value: Value
    key: str


def next_site_entry(row: models.Table, table: Table, now: float) -> SiteEntry | None:
    """The next entry that the site has to make at a locked table, or None."""
    if row.is_over or (row.due_at is None and row.pace != "days"):
        return None
    return next(_site_entries(row, table, now), None)


def _site_entries(row: models.Table, table: Table, now: float) -> Iterator[SiteEntry]:
    for outage in _missing_outages(table, now):
        yield SiteEntry(None, "downtime", outage_value(outage), f"down.{outage[0]!r}")
    if row.pace == "days":
        yield from _time_off_entries(row, now)
    if row.due_at is None or now < row.due_at:
        return
    if not table.last_relevant_entry and row.seats.filter(guest=None, bot="").exists():
        yield SiteEntry(None, "abort", "not seated", "seats")
        return
    if due := table.due(now):
        if _takes_vacation(row, table, due):
            yield from _time_off_entries(row, now)
        yield SiteEntry(due.seat, due.kind, due.value, f"flag.{row.entries}")


def _missing_outages(table: Table, now: float) -> list[Span]:
    """The outages that a table's clocks need and its log doesn't have yet.

    Outages are entered before any other entry, so missing ones ended after the last entry that isn't one. A
    process whose clock was slow may already have entered an outage that ends later.
    """
    if table.next_due() is None:
        return []
    last = next((entry.at for entry in reversed(table.history) if entry.kind != "downtime"), table.begun_at)
    if not (ended := OUTAGES.since(last, now)):
        return []
    told = {outage_of(str(entry.value))[0] for entry in table.history if entry.kind == "downtime"}
    return [outage for outage in ended if outage[0] not in told]


def _time_off_entries(row: models.Table, now: float) -> Iterator[SiteEntry]:
    """Entries for time off that was changed since the table's log last got it."""
    for seat in _CHANGED_TIME_OFF.rows(row.pk):
        assert seat.guest is not None
        time_off: TimeOff = seat.guest.time_off
        calendar = vacations.calendar_of(time_off, min(time_off.changed_at, now))
        row.seats.filter(pk=seat.pk).update(time_off_version=time_off.version)
        if seat.time_off_version or not calendar.is_empty:
            value = rest_value(time_off.changed_at, calendar)
            yield SiteEntry(seat.number, "rest", value, f"rest.{seat.number}.{time_off.version}")


def _takes_vacation(row: models.Table, table: Table, due: Entry) -> bool:
    """Begin an automatic day of vacation instead of a flag, at most once a turn. Returns whether it did."""
    if due.kind != "flag" or row.pace != "days" or table.clock is None or table.clock.running is None:
        return False
    running, moment = table.clock.running, table.clock.deadline
    guest = next(seat.guest for seat in selectors.seats_of(row) if seat.number == running)
    if guest is None or table.match.seats[running].is_bot or moment is None:
        return False
    return vacations.take_automatic_vacation(guest, moment, since=turn_began(table))
