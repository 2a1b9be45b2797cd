"""The site's heartbeat. A gap in it is an outage, found once, whichever process comes back first.

The row is written by all processes that serve. The first that beats after a gap holds the row's lock, and
writes the outage in the same transaction: there is one, however many processes start at the same time.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Sequence
from functools import partial

from asgiref.sync import sync_to_async
from django.db import DatabaseError, transaction

from kakomi.server import clock
from kakomi.server.database import FailureLog, outside_requests, writing
from kakomi.server.pacing import TRAFFIC
from kakomi.server.uptime.models import Heartbeat, Outage
from kakomi.session.time_control import Span

BEAT_SECONDS = 2.0
"""Between two heartbeats of a process."""
GAP_SECONDS = 8.0
"""A longer time without a heartbeat is an outage."""
_ROW = 1

_LOG = logging.getLogger(__name__)


def beat(*, gap: float = GAP_SECONDS) -> Span | None:
    """Note that the site is up. Answers with the outage that has just ended, if there was one."""
    with writing():
        Heartbeat.objects.bulk_create([Heartbeat(pk=_ROW, beat_at=clock.now())], ignore_conflicts=True)
        row = Heartbeat.objects.select_for_update().get(pk=_ROW)
        last, now = row.beat_at, clock.now()
        if now > last:  # a clock that was set back is waited for
            Heartbeat.objects.filter(pk=_ROW).update(beat_at=now)
        if now - last <= gap:
            return None
        Outage.objects.create(start=last, end=now)
    return last, now


def outages_since(moment: float) -> list[Span]:
    """The outages that ended after a moment, in order."""
    return list(Outage.objects.filter(end__gt=moment).values_list("start", "end"))


class OutageList:
    """The outages as this process knows them, so that nobody has to ask for them with every action.

    They are asked for after each heartbeat. When no heartbeat of this process is younger than a gap, others
    may have missed theirs too: then it beats before it answers.
    """

    def __init__(self) -> None:
        self._beat_at: float | None = None
        """The last heartbeat of this process; None as long as it keeps none."""
        self.trouble = ""
        """Why the latest one could not be written."""
        self._known: tuple[Span, ...] = ()
        self._lock = threading.Lock()

    def since(self, moment: float, now: float) -> list[Span]:
        """The outages that ended after a moment, in order."""
        if self._beat_at is None:
            return outages_since(moment)
        known = self.refresh() if now - self._beat_at > GAP_SECONDS else self._known
        return [span for span in known if span[1] > moment]

    @outside_requests
    def refresh(self) -> Sequence[Span]:
        """Beat, and ask for the outages. What is found inside a transaction is remembered once it is on disk:
        else nobody else knows of it, and it will be found again, with another end."""
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
        """Keep no heartbeat any more."""
        self._beat_at, self._known, self.trouble = None, (), ""


OUTAGES = OutageList()
"""This process's."""


class HeartbeatTask:
    """Beats as long as the process serves."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Beat for the first time, before anything is served or falls due, and go on."""
        with contextlib.suppress(Exception):
            await sync_to_async(OUTAGES.refresh)()
        self._task = asyncio.create_task(self._go_on())

    async def stop(self) -> None:
        """End; the site is down from the last heartbeat on."""
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
