"""News carried between processes by Redis."""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from kakomi.server.live.hub import Hub

if TYPE_CHECKING:
    from redis.asyncio import Redis

Work: TypeAlias = "Callable[[Redis], Awaitable[None]]"
RETRY_SECONDS = 1.0
TIMEOUT_SECONDS = 2.0
MOST_PENDING = 10_000
"""While Redis is away no more is kept for it; whoever misses something finds it in the database."""
_LOG = logging.getLogger(__name__)


class Courier:
    """Publishes what a hub announces, and tells it what others publish.

    Nobody waits for it: it works in tasks of its own, and tries again for as long as Redis is away.
    """

    def __init__(self, hub: Hub, url: str, channel: str) -> None:
        self._hub, self._url, self._channel = hub, url, channel
        self._lock = threading.Lock()
        self._pending: dict[str, int] = {}
        self.hears = False
        """Whether news of others arrives at present."""

    async def run(self) -> None:
        """Carry news until cancelled."""
        self._loop, self._wanted = asyncio.get_running_loop(), asyncio.Event()
        self._hub.add_carrier(self._carry)
        try:
            await asyncio.gather(self._again(self._publish), self._again(self._hear))
        finally:
            self._hub.remove_carrier(self._carry)

    def _carry(self, code: str, news: int) -> None:
        with self._lock:
            self._pending[code] = max(news, self._pending.pop(code, 0))
            while len(self._pending) > MOST_PENDING:
                del self._pending[next(iter(self._pending))]
        self._loop.call_soon_threadsafe(self._wanted.set)

    async def _again(self, work: "Work") -> None:
        """Do some work with a connection, and with another one whenever that fails."""
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
        from redis.exceptions import RedisError

        is_told = False
        while True:
            client: Redis = Redis.from_url(
                self._url,
                socket_timeout=TIMEOUT_SECONDS,
                socket_connect_timeout=TIMEOUT_SECONDS,
                retry=Retry(NoBackoff(), 0),
            )
            try:
                await client.ping()
                is_told = False
                await work(client)
            except (RedisError, OSError) as error:
                if not is_told:
                    _LOG.warning("Redis is away; until it is back news come from the database: %s", error)
                is_told = True
            finally:
                await client.aclose()
            await asyncio.sleep(RETRY_SECONDS)

    async def _publish(self, client: "Redis") -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            with self._lock:
                taken, self._pending = self._pending, {}
            try:
                await self._send(client, taken)
            except BaseException:
                for code, news in taken.items():
                    self._carry(code, news)
                raise

    async def _send(self, client: "Redis", taken: Mapping[str, int]) -> None:
        pipeline = client.pipeline(transaction=False)
        for code, news in taken.items():
            pipeline.publish(self._channel, f"{code} {news}")
        await pipeline.execute()

    async def _hear(self, client: "Redis") -> None:
        async with client.pubsub(ignore_subscribe_messages=True) as subscription:
            await subscription.subscribe(self._channel)
            self.hears = True
            try:
                while True:
                    if message := await subscription.get_message(timeout=TIMEOUT_SECONDS):
                        code, news = message["data"].decode().split()
                        self._hub.tell(code, int(news))
            finally:
                self.hears = False
