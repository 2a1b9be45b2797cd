"""News and whispers between the processes of a site."""

import asyncio
import hashlib

from django.conf import settings

from kakomi.server.realtime.broker import BROKER, Broker
from kakomi.server.realtime.ephemeral import MESSAGES, EphemeralMessages
from kakomi.server.realtime.ephemeral_outbox import EphemeralOutbox
from kakomi.server.realtime.news_outbox import NewsOutbox
from kakomi.server.realtime.polling import LOOK_SECONDS, poll
from kakomi.server.realtime.redis_transport import RedisTransport

SAFETY_SECONDS = 1.0
"""How often the database is looked into although news come by Redis: those of a process that lost it."""


class PubSub:
    """Brings what happens in other processes to those who listen in this one, by the database and by Redis.

    For news the database alone is enough; Redis makes it quicker while it is there. Whispers go by Redis
    alone.
    """

    def __init__(self, redis_url: str, hub: Broker = BROKER, whispers: EphemeralMessages = MESSAGES) -> None:
        self._hub = hub
        self._murmur = EphemeralOutbox(whispers)
        self._courier = (
            RedisTransport(redis_url, site(), NewsOutbox(hub), self._murmur) if redis_url else None
        )
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to carry them."""
        self._tasks.append(asyncio.create_task(poll(self._hub, self._pause)))
        if self._courier:
            self._tasks.append(asyncio.create_task(self._courier.run()))
            self._tasks.append(asyncio.create_task(self._murmur.keep_up()))

    async def stop(self) -> None:
        """Carry nothing any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _pause(self) -> float:
        return SAFETY_SECONDS if self._courier and self._courier.hears else LOOK_SECONDS


def site() -> str:
    """What only the processes of this site call their channels on a Redis server: they share their secret."""
    return f"kakomi:{hashlib.sha256(f'news {settings.SECRET_KEY}'.encode()).hexdigest()[:20]}"
