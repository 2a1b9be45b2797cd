"""The background tasks that let bots act."""

import asyncio
import contextlib
import logging
from functools import partial

from asgiref.sync import sync_to_async

from kakomi.server.engines import EnginePool
from kakomi.server.engines.pool import close as close_pool
from kakomi.server.engines.pool import shared_pool
from kakomi.server.realtime import BROKER
from kakomi.server.site.database import FailureLog, outside_requests
from kakomi.server.site.pacing import TRAFFIC
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.deadlines import RENEW_SECONDS, Claims
from kakomi.server.tables.seats import BOT_PROGRESS, BotProgress
from kakomi.session import Refused, Table

LOOK_SECONDS = 0.25
"""The interval between checks for tables of other processes or from before a restart, in seconds."""

_LOG = logging.getLogger(__name__)


class BackgroundTasks:
    """The tasks of one process that let bots act.

    A process claims a table before it computes a bot's action there, so that two processes don't do the same
    work. If they do anyway, the keys of the entries ensure that the action is added once.
    """

    def __init__(self, pool: EnginePool | None = None) -> None:
        self._pool = pool or shared_pool()
        self._claims = Claims()
        self._thinking: dict[str, asyncio.Task[None]] = {}
        """Table -> the task that computes its bot's action."""
        self._rounds: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start the tasks."""
        self._rounds = [
            asyncio.create_task(self._start_bots_forever()),
            asyncio.create_task(self._renew_claims_forever()),
        ]

    async def stop(self) -> None:
        """Cancel the tasks and release all claims, so that other processes can take over."""
        tasks = [*self._rounds, *self._thinking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await sync_to_async(close_pool)(self._pool)
        await sync_to_async(self._claims.give_up)()

    async def _start_bots_forever(self) -> None:
        bot_event, failures = BROKER.bot_event(), FailureLog(_LOG)
        try:
            while True:
                with failures.attempt("looking after the tables"):
                    await self._start_bots()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(bot_event.wait(), TRAFFIC.interval(LOOK_SECONDS))
        finally:
            BROKER.remove_bot_event(bot_event)

    async def _renew_claims_forever(self) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            if self._thinking:
                try:
                    await sync_to_async(self._claims.renew)(list(self._thinking))
                except Exception:  # then another process may do the same work, which does no harm
                    _LOG.exception("claims could not be renewed; it is tried again")

    async def _start_bots(self) -> None:
        for code in await sync_to_async(self._claims.unclaimed)():
            if code not in self._thinking:
                task = asyncio.create_task(self._let_bot_act(code))
                self._thinking[code] = task
                task.add_done_callback(partial(self._done, code))

    def _done(self, code: str, task: asyncio.Task[None]) -> None:
        del self._thinking[code]
        if not task.cancelled() and (error := task.exception()):
            _LOG.error("the bot at table %s could not act: %s", code, error)

    async def _let_bot_act(self, code: str) -> None:
        if not await sync_to_async(self._claims.take)(code):
            return
        row, table = await sync_to_async(_found)(code)
        if (seat := _bot_asked(table)) is not None:
            accepts = await self._pool.accepts_draw(table.match, seat, row.pk, client=code)
            await sync_to_async(_add)(row, seat, "accept" if accepts else "decline")
            return
        seat = table.to_act
        if seat is None or not (bot := table.match.seats[seat].bot):
            return

        def report(progress: float) -> None:
            BOT_PROGRESS.note(code, BotProgress(seat, progress))

        try:
            event = await self._pool.decide(table.match, seat, bot, row.pk, client=code, on_progress=report)
        finally:
            BOT_PROGRESS.forget(code)
        await sync_to_async(_add)(row, seat, event.kind, event.value)


def _bot_asked(table: Table) -> int | None:
    """The seat of a bot that an open offer waits for."""
    waiting = table.offer.waiting if table.offer else ()
    return next((seat for seat in waiting if table.match.seats[seat].is_bot), None)


@outside_requests
def _found(code: str) -> tuple[models.Table, Table]:
    row = models.Table.objects.get(code=code)
    return row, selectors.table_of(row)


@outside_requests
def _add(row: models.Table, seat: int, kind: str, value: int | str | None = None) -> None:
    with contextlib.suppress(Refused):  # a takeback or another process came first
        services.add(row.code, [(kind, value)], seat=seat, base=row.entries, key=f"bot.{row.entries}")
