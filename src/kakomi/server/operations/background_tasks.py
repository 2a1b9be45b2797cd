"""Background tasks of the site: bots act."""

import asyncio
import contextlib
import logging
from functools import partial

from asgiref.sync import sync_to_async

from kakomi.server.database import FailureLog, outside_requests
from kakomi.server.engines import EnginePool
from kakomi.server.engines.pool import close as close_pool
from kakomi.server.engines.pool import shared_pool
from kakomi.server.pacing import TRAFFIC
from kakomi.server.realtime import BROKER
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.deadlines import RENEW_SECONDS, Claims
from kakomi.server.tables.seats import BOT_PROGRESS, BotProgress
from kakomi.session import Refused, Table

LOOK_SECONDS = 0.25
"""The interval, in seconds, between looks for tables of other processes or from before a restart."""

_LOG = logging.getLogger(__name__)


class BackgroundTasks:
    """One for each process.

    A process claims a table before it thinks for a bot there, so that two don't do the same work; if they do
    all the same, it counts once, by the keys of the entries.
    """

    def __init__(self, pool: EnginePool | None = None) -> None:
        self._pool = pool or shared_pool()
        self._claims = Claims()
        self._thinking: dict[str, asyncio.Task[None]] = {}
        """Table -> what its bot is about to do."""
        self._rounds: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to look after the tables."""
        self._rounds = [asyncio.create_task(self._go_round()), asyncio.create_task(self._keep_claims())]

    async def stop(self) -> None:
        """End all thinking; the next process that starts goes on with it."""
        tasks = [*self._rounds, *self._thinking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await sync_to_async(close_pool)(self._pool)
        await sync_to_async(self._claims.give_up)()

    async def _go_round(self) -> None:
        bot_event, failures = BROKER.bot_event(), FailureLog(_LOG)
        try:
            while True:
                with failures.attempt("looking after the tables"):
                    await self._look()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(bot_event.wait(), TRAFFIC.interval(LOOK_SECONDS))
        finally:
            BROKER.remove_bot_event(bot_event)

    async def _keep_claims(self) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            if self._thinking:
                try:
                    await sync_to_async(self._claims.renew)(list(self._thinking))
                except Exception:  # then another process may think too, which does no harm
                    _LOG.exception("claims could not be renewed; it is tried again")

    async def _look(self) -> None:
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
            accepts = await self._pool.accepts_draw(table.match, seat, row.pk, asker=code)
            await sync_to_async(_add)(row, seat, "accept" if accepts else "decline")
            return
        seat = table.to_act
        if seat is None or not (bot := table.match.seats[seat].bot):
            return
        told = partial(_think_aloud, code, seat)
        try:
            event = await self._pool.decide(table.match, seat, bot, row.pk, asker=code, on_progress=told)
        finally:
            BOT_PROGRESS.forget(code)
        await sync_to_async(_add)(row, seat, event.kind, event.value)


def _bot_asked(table: Table) -> int | None:
    """The bot's seat that an open offer waits for."""
    waiting = table.offer.waiting if table.offer else ()
    return next((seat for seat in waiting if table.match.seats[seat].is_bot), None)


def _think_aloud(code: str, seat: int, progress: float) -> None:
    BOT_PROGRESS.note(code, BotProgress(seat, progress))


@outside_requests
def _found(code: str) -> tuple[models.Table, Table]:
    row = models.Table.objects.get(code=code)
    return row, selectors.table_of(row)


@outside_requests
def _add(row: models.Table, seat: int, kind: str, value: int | str | None = None) -> None:
    with contextlib.suppress(Refused):  # a takeback or another process was quicker
        deed = [(kind, value)]
        services.add(row.code, deed, seat=seat, base=row.entries, key=f"bot.{row.entries}")
