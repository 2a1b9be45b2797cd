"""Deadlines at tables: how long the site waits, what it then enters itself, and its claims to think for bots.

The site waits for people to sit down and to start, and warns of a clock. It enters rests, downtime and flags.
"""

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, QuerySet

from kakomi.server import clock
from kakomi.server.database import outside_requests
from kakomi.server.django_private import PreparedQuery
from kakomi.server.job_questions import Work
from kakomi.server.rests import selectors as rests_selectors
from kakomi.server.rests import services as rests_services
from kakomi.server.rests.models import Rests
from kakomi.server.tables import models, selectors
from kakomi.server.tables.commands import Value
from kakomi.server.uptime.heartbeat import OUTAGES
from kakomi.session import Entry, Pace, Table
from kakomi.session.events import QUIET, outage_of, outage_value, rest_value
from kakomi.session.time_control import DAY, Span

START_SECONDS: Mapping[Pace | None, float] = {"live": 300.0, "days": 7 * DAY, None: 30 * DAY}
"""For komi, colour and first turn, each; by the pace, None without a clock."""
SEATING_SECONDS: Mapping[Pace | None, float] = {"live": 7 * DAY, "days": 30 * DAY, None: 30 * DAY}
"""From the opening of a table until everybody sits."""
WARNING_SECONDS = DAY
"""Before a clock over days runs out; half of the time for the turn, if that is less."""
NUDGE_SECONDS = 7 * DAY
"""After which somebody is reminded of their turn, if a third of their time isn't less."""
LEAST_TURN = 3 * DAY
"""For a turn with less time there is one reminder."""
LEAST_WAIT = 2 * 3600.0
"""No reminder comes sooner after the beginning of a turn."""


def start_limit(people: Sequence[int | None], pace: Pace | None) -> float | None:
    """The limit for first decisions where two people or more play; None where somebody plays alone.

    `people` are the numbers of the guests on the seats that no bot has; None for a free one.
    """
    known = {person for person in people if person is not None}
    free = sum(person is None for person in people)
    return START_SECONDS[pace] if len(known) + free > 1 else None


def due_at(table: Table, *, is_free: bool) -> float | None:
    """The moment when the site has to act if nothing happens before."""
    if is_free and not table.is_over:
        pace = table.time.pace if table.time else None
        return None if table.start.limit is None else table.begun_at + SEATING_SECONDS[pace]
    return table.next_due()


def reminders(table: Table) -> tuple[float, ...]:
    """The moments at which the one to act is reminded: once a third of their time is used up, and before it
    runs out. Nobody is reminded while they rest."""
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
    """The next moment to remind the one to act of the turn that they have; None if there is none."""
    moments, has_been = reminders(table), row.warned == turn_number(table)
    return next((moment for moment in moments if not has_been or moment > clock.now()), None)


def turn_number(table: Table) -> int:
    """A number of the turn that is waited for: the length of the log when it began."""
    number = table.entries
    for entry in reversed(table.history):
        if entry.kind not in QUIET and entry.kind not in _BESIDE:
            break
        number -= 1
    return number


def turn_began(table: Table) -> float:
    """The moment at which the turn that is waited for began."""
    number = turn_number(table)
    return table.history[number - 1].at if number else table.begun_at


_BESIDE = ("offer", "decline", "withdraw")
"""Entries after which the same decision is wanted as before."""


CLAIM_SECONDS = 4.0
"""Seconds until another process takes over a bot whose process was killed or whose thinking failed."""
RENEW_SECONDS = 1.0


class Claims:
    """One process's claims to think for the bots of tables. A claim ends with the table's next entry."""

    def __init__(self) -> None:
        self._name = secrets.token_hex(16)

    @outside_requests
    def unclaimed(self) -> list[str]:
        """The codes of all tables with a bot to act that no process has claimed."""
        now = clock.now()
        return list(_unclaimed(now).values_list("code", flat=True)) if _UNCLAIMED.is_there(now) else []

    @outside_requests
    def take(self, code: str) -> bool:
        """Claim a table; False if another process was quicker."""
        until = clock.now() + CLAIM_SECONDS
        return bool(_open(clock.now()).filter(code=code).update(thinker=self._name, claimed_until=until))

    @outside_requests
    def renew(self, codes: Collection[str]) -> None:
        """Go on claiming those of these tables that are still claimed."""
        until = clock.now() + CLAIM_SECONDS
        self._own().filter(code__in=codes).update(claimed_until=until)

    @outside_requests
    def give_up(self) -> None:
        """Leave all tables to others."""
        self._own().update(claimed_until=0.0)

    def _own(self) -> "QuerySet[models.Table]":
        return models.Table.objects.filter(waits_for_bot=True, thinker=self._name, claimed_until__gt=0.0)


def _open(now: float) -> "QuerySet[models.Table]":
    return models.Table.objects.filter(waits_for_bot=True, claimed_until__lt=now)


def _unclaimed(now: float) -> "QuerySet[models.Table]":
    """All tables with a bot to act that no process has claimed."""
    nobody_there = models.Seat.objects.filter(table=OuterRef("pk"), guest=None, bot="")
    return _open(now).filter(~Exists(nobody_there))


_UNCLAIMED = Work(_unclaimed)


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
    return rests_services.take_automatic_vacation(guest, moment, since=turn_began(table))
