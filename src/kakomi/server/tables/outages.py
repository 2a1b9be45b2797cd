"""The site's heartbeat. A gap in it is an outage, which is recorded exactly once.

All serving processes write the heartbeat's row. The first one after a gap holds the row's lock and records
the outage in the same transaction, so there is only one even if many processes start at the same time.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Sequence
from functools import partial

from asgiref.sync import sync_to_async
from django.db import DatabaseError, transaction

from kakomi.server.site import clock
from kakomi.server.site.database import FailureLog, outside_requests, writing
from kakomi.server.site.pacing import TRAFFIC
from kakomi.server.tables.models import Heartbeat, Outage
from kakomi.session.time_control import Span

BEAT_SECONDS = 2.0
"""The time between two heartbeats of a process."""
GAP_SECONDS = 8.0
"""The longest time without a heartbeat that isn't an outage."""
_ROW = 1

_LOG = logging.getLogger(__name__)


def beat(*, gap: float = GAP_SECONDS) -> Span | None:
    """Record that the site is up. Return the outage that has just ended, or None."""
    with writing():
        Heartbeat.objects.bulk_create([Heartbeat(pk=_ROW, beat_at=clock.now())], ignore_conflicts=True)
        row = Heartbeat.objects.select_for_update().get(pk=_ROW)
        last, now = row.beat_at, clock.now()
        if now > last:  # false for a while if the clock was set back
            Heartbeat.objects.filter(pk=_ROW).update(beat_at=now)
        if now - last <= gap:
            return None
        Outage.objects.create(start=last, end=now)
    return last, now


def outages_since(moment: float) -> list[Span]:
    """The outages that ended after a time, in order."""
    return list(Outage.objects.filter(end__gt=moment).values_list("start", "end"))


class OutageList:
    """This process's cache of the outages, so that not every action needs a query.

    It is refreshed with each heartbeat. If this process's last heartbeat is older than the gap, others may
    have missed theirs too, so it beats before returning outages.
    """

    def __init__(self) -> None:
        self._beat_at: float | None = None
        """The last heartbeat of this process; None while it has none."""
        self.trouble = ""
        """Why the latest heartbeat couldn't be written; empty if it was."""
        self._known: tuple[Span, ...] = ()
        self._lock = threading.Lock()

    def since(self, moment: float, now: float) -> list[Span]:
        """The outages that ended after `moment`, in order."""
        if self._beat_at is None:
            return outages_since(moment)
        known = self.refresh() if now - self._beat_at > GAP_SECONDS else self._known
        return [span for span in known if span[1] > moment]

    @outside_requests
    def refresh(self) -> Sequence[Span]:
        """Beat, and query the outages. Inside a transaction they are cached only when it commits: if it is
        rolled back, a new outage doesn't exist and will be found again, with another end."""
        with self._lock:
            try:
                outage = beat()
            except DatabaseError as error:
                self.trouble = str(error).strip().partition("\n")[0]
                raise
            self.trouble = ""
            if outage:
                _LOG.warning("the site was down for %.0f s, for which no clock runs", outage[1] - outage[0])
            known, beat_at = tuple(outages_since(0.0)), clock.now()
        transaction.on_commit(partial(self._remember, known, beat_at))
        return known

    def _remember(self, known: tuple[Span, ...], beat_at: float) -> None:
        self._known, self._beat_at = known, beat_at

    def forget(self) -> None:
        """Clear the cache, as this process stops beating."""
        self._beat_at, self._known, self.trouble = None, (), ""


OUTAGES = OutageList()
"""The cache of this process."""


class HeartbeatTask:
    """A task that beats while the process serves."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Beat once, before requests are served and jobs run, and then regularly."""
        with contextlib.suppress(Exception):
            await sync_to_async(OUTAGES.refresh)()
        self._task = asyncio.create_task(self._go_on())

    async def stop(self) -> None:
        """Stop beating."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        OUTAGES.forget()

    async def _go_on(self) -> None:
        failures = FailureLog(_LOG)
        while True:
            await asyncio.sleep(TRAFFIC.interval(BEAT_SECONDS))
            with failures.attempt("the heartbeat"):
                await sync_to_async(OUTAGES.refresh, thread_sensitive=False)()
