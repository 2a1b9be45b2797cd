"""News and ephemeral messages between the processes of a site."""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence

from asgiref.sync import sync_to_async
from django.conf import settings

from kakomi.server.database import FailureLog
from kakomi.server.pacing import TRAFFIC
from kakomi.server.realtime.broker import BROKER, Broker
from kakomi.server.realtime.ephemeral import MESSAGES, EphemeralMessages
from kakomi.server.realtime.outboxes import EphemeralOutbox, NewsOutbox
from kakomi.server.realtime.redis_transport import RedisTransport

POLL_SECONDS = 0.25
"""The interval between queries for news of other processes, in seconds."""
SAFETY_SECONDS = 1.0
"""The same although news come by Redis: for those of a process that lost it."""

Latest = Callable[[Sequence[str]], Mapping[str, int]]
"""Reads from the database the number of the latest news of some topics."""
_LOG = logging.getLogger(__name__)


class PubSub:
    """Brings what happens in other processes to those who listen in this one, by the database and by Redis.

    For news the database alone is enough; Redis makes it quicker while it is there. Ephemeral messages go by
    Redis alone.
    """

    def __init__(
        self,
        redis_url: str,
        latest: Latest,
        broker: Broker = BROKER,
        messages: EphemeralMessages = MESSAGES,
    ) -> None:
        self._latest = latest
        self._broker = broker
        self._ephemeral = EphemeralOutbox(messages)
        outboxes = (self._ephemeral, NewsOutbox(broker))  # who was answered is known before the news come
        self._transport = RedisTransport(redis_url, site(), *outboxes) if redis_url else None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to bring it."""
        self._tasks.append(asyncio.create_task(self._poll()))
        if self._transport:
            self._tasks.append(asyncio.create_task(self._transport.run()))
            self._tasks.append(asyncio.create_task(self._ephemeral.keep_up()))

    async def stop(self) -> None:
        """Bring nothing any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _poll(self) -> None:
        """Look for news of what somebody listens to, for ever: one query for all of it.

        A listener that has heard it already from its own process hears nothing twice.
        """
        failures = FailureLog(_LOG)
        while True:
            hears_others = self._transport is not None and self._transport.hears
            await asyncio.sleep(TRAFFIC.interval(SAFETY_SECONDS if hears_others else POLL_SECONDS))
            if watched := self._broker.watched():
                with failures.attempt("looking for news"):
                    self._broker.tell_all(await sync_to_async(self._latest)(watched))


def site() -> str:
    """The prefix of this site's channels on a Redis server, derived from its secret."""
    return f"kakomi:{hashlib.sha256(f'news {settings.SECRET_KEY}'.encode()).hexdigest()[:20]}"
