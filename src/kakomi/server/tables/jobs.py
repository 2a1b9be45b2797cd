"""Jobs that are due at a certain time: let flags fall, remind people, and enter changed time off at tables.

All processes run these jobs. Each job finds due tables by an index, locks a table's row and checks again, so
that everything is done once.
"""

import logging
import random
import time

from django.db import connection
from django.db.models import F, Q, QuerySet

from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.site.jobs import has_work_in
from kakomi.server.site.pacing import paced
from kakomi.server.tables import deadlines, models, selectors, services, vacations
from kakomi.server.tables.extensions import time_running_out
from kakomi.server.tables.models import TimeOff

BATCH = 200
"""The number of tables to look up at once."""
ROUND_SECONDS = 5.0
"""The time after which a job ends, to go on in its next turn."""
SHARES = {"sqlite": 0.5, "postgresql": 0.6}
"""The share of time, by database, spent on due tables while there is a backlog. In SQLite people's requests
wait for every entry, in PostgreSQL only for those at their own tables."""
BUSY_FROM = 50
"""The number of due tables from which work that can wait is postponed."""
AGAIN_SECONDS = 60.0
"""The time until a table that couldn't be settled is tried again."""

_LOG = logging.getLogger(__name__)
_failed: dict[str, float] = {}
"""Tables that couldn't be settled -> when to try again, by this process's monotonic clock."""


@has_work_in(lambda now: models.Table.objects.filter(due_at__lte=now))
def settle_due() -> None:
    """Let flags fall, and end tables that nobody starts. Pauses in between leave time for requests."""
    end = time.monotonic() + ROUND_SECONDS
    while time.monotonic() < end and (codes := _due()):
        for code in paced(codes, SHARES[connection.vendor]):
            _settle(code)
            if time.monotonic() > end:
                return


def is_busy() -> bool:
    """Whether many tables are due, as after an outage; jobs that can wait are then postponed."""
    return len(_earliest_due(BUSY_FROM)) == BUSY_FROM


def _due() -> list[str]:
    """The codes of due tables, shuffled so that processes don't compete for the same one."""
    codes = _earliest_due(BATCH)
    random.shuffle(codes)
    return codes


def _earliest_due(most: int) -> list[str]:
    """The codes of due tables that didn't fail recently, the longest overdue first."""
    now = time.monotonic()
    resting = [code for code, until in _failed.items() if until > now]
    due = models.Table.objects.filter(due_at__lte=clock.now()).exclude(code__in=resting)
    return list(due.order_by("due_at").values_list("code", flat=True)[:most])


def _settle(code: str) -> None:
    try:
        table = services.settle(code)
    except Exception:  # one table must not keep all others waiting
        _failed[code] = time.monotonic() + AGAIN_SECONDS
        _LOG.exception("what is due at table %s could not be entered; it is tried again", code)
        return
    _failed.pop(code, None)
    if table:
        _LOG.info("something was due at table %s: %s", code, table.history[-1].kind)


@has_work_in(lambda now: models.Table.objects.filter(warn_at__lte=now))
def warn_of_time() -> None:
    """Send the reminders that are due to players who are to act, each at most once in a turn."""
    waiting = models.Table.objects.filter(warn_at__lte=clock.now()).order_by("warn_at")
    for number in waiting.values_list("pk", flat=True)[:BATCH]:
        with writing():
            row = models.Table.objects.select_for_update().get(pk=number)
            if row.warn_at is not None and row.warn_at <= clock.now():
                _warn(row)


def _warn(row: models.Table) -> None:
    table = selectors.table_of(row)
    row.warned = deadlines.turn_number(table)
    row.warn_at = deadlines.warn_at(row, table)
    row.save(update_fields=["warned", "warn_at"])
    if table.to_act is not None:
        deadline = table.next_due()
        is_last = deadline is not None and row.warn_at is None
        time_running_out.send(
            models.Table, row=row, table=table, seat=table.to_act, deadline=deadline, is_last=is_last
        )


def _changed_time_off() -> "QuerySet[TimeOff]":
    return TimeOff.objects.filter(~Q(version=F("entered_version")))


@has_work_in(lambda now: _changed_time_off())
def enter_time_off() -> None:
    """Enter changed time off in the logs of people's running games."""
    for guest, version in _changed_time_off().values_list("guest", "version")[:BATCH]:
        tables = models.Table.objects.filter(
            is_over=False, pace="days", seats__guest=guest, seats__time_off_version__lt=version
        )
        for code in tables.distinct().values_list("code", flat=True):
            services.settle(code)
        vacations.mark_entered(guest, version)
