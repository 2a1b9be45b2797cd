"""What tables need done by the moment: flags fall, people are warned, and tables learn who rests when.

All processes do these jobs. Each finds what is due by an index, and does it under the lock of the table's
row, where it looks again: so everything is done once.
"""

import logging
import random
import time

from django.db import connection
from django.db.models import F, Q, QuerySet

from kakomi.server import clock
from kakomi.server.database import writing
from kakomi.server.job_questions import works_on
from kakomi.server.pacing import paced
from kakomi.server.rests import services as rests_services
from kakomi.server.rests.models import Rests
from kakomi.server.tables import deadlines, models, selectors, services
from kakomi.server.tables.extensions import time_running_out

BATCH = 200
"""Tables that are looked up at once."""
ROUND_SECONDS = 5.0
"""After which a job ends, and goes on when it is its turn again."""
SHARES = {"sqlite": 0.5, "postgresql": 0.6}
"""Of the time, which is taken for what is due while there is more than can be done at once, by database: in
SQLite people wait for every entry, in PostgreSQL only for those at their own tables."""
MANY = 50
"""Tables at which something is due: when there are more, work that can wait leaves them the time."""
AGAIN_SECONDS = 60.0
"""Until a table is tried again that could not be settled."""

_LOG = logging.getLogger(__name__)
_failed: dict[str, float] = {}
"""Tables that could not be settled -> until when they are left alone, by this process's own clock."""


@works_on(lambda now: models.Table.objects.filter(due_at__lte=now))
def settle_due() -> None:
    """Let flags fall, and end tables that nobody starts. Most of the time is left to people's actions."""
    end = time.monotonic() + ROUND_SECONDS
    while time.monotonic() < end and (codes := _due()):
        for code in paced(codes, SHARES[connection.vendor]):
            _settle(code)
            if time.monotonic() > end:
                return


def is_busy() -> bool:
    """Whether many tables are due, as after an outage: jobs that can wait then come later."""
    return len(_earliest_due(MANY)) == MANY


def _due() -> list[str]:
    """The codes of tables at which something is due, in an order in which processes don't meet."""
    codes = _earliest_due(BATCH)
    random.shuffle(codes)
    return codes


def _earliest_due(most: int) -> list[str]:
    """The codes of tables that are due and did not fail just now."""
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


@works_on(lambda now: models.Table.objects.filter(warn_at__lte=now))
def warn_of_time() -> None:
    """Remind those who are to act, each time once a turn."""
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


def _untold() -> "QuerySet[Rests]":
    return Rests.objects.filter(~Q(version=F("told_version")))


@works_on(lambda now: _untold())
def tell_rests() -> None:
    """Have the running games of those who have changed their rests learn of it."""
    for guest, version in _untold().values_list("guest", "version")[:BATCH]:
        tables = models.Table.objects.filter(
            is_over=False, pace="days", seats__guest=guest, seats__rests_version__lt=version
        )
        for code in tables.distinct().values_list("code", flat=True):
            services.settle(code)
        rests_services.told(guest, version)
