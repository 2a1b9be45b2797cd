"""Messages carried between processes by Redis."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from kakomi.server.realtime.outboxes import Outbox

if TYPE_CHECKING:
    from redis.asyncio import Redis

Work: TypeAlias = "Callable[[Redis], Awaitable[None]]"
RETRY_SECONDS = 1.0
TIMEOUT_SECONDS = 2.0
_LOG = logging.getLogger(__name__)


class RedisTransport:
    """Publishes the outboxes' messages, and delivers those of other processes. It works in tasks of its
    own that block nobody, and retries for as long as Redis is away."""

    def __init__(self, url: str, site: str, *outboxes: Outbox[Any]) -> None:
        """`site` is what the channels of this site begin with."""
        import redis.asyncio  # noqa: F401 (half of it can be had while another thread imports it)

        self._url = url
        self._outboxes = {f"{site}:{outbox.topic}": outbox for outbox in outboxes}
        self.hears = False
        """Whether messages of others arrive at present."""

    async def run(self) -> None:
        """Carry messages until cancelled."""
        self._loop, self._wanted = asyncio.get_running_loop(), asyncio.Event()
        for outbox in self._outboxes.values():
            outbox.open(self._wake)
        try:
            await asyncio.gather(self._again(self._publish), self._again(self._hear))
        finally:
            for outbox in self._outboxes.values():
                outbox.close()

    def _wake(self) -> None:
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
            for channel, outbox in self._outboxes.items():
                await self._send(client, channel, outbox)

    async def _send(self, client: "Redis", channel: str, outbox: Outbox[Any]) -> None:
        if not (taken := outbox.take()):
            return
        pipeline = client.pipeline(transaction=False)
        for name, message in taken.items():
            pipeline.publish(channel, outbox.encode(name, message))
        try:
            await pipeline.execute()
        except BaseException:
            outbox.give_back(taken)
            self._wake()  # for what the other outboxes have
            raise

    async def _hear(self, client: "Redis") -> None:
        async with client.pubsub(ignore_subscribe_messages=True) as subscription:
            await subscription.subscribe(*self._outboxes)
            self.hears = True
            try:
                while True:
                    if message := await subscription.get_message(timeout=TIMEOUT_SECONDS):
                        with contextlib.suppress(ValueError):  # of another version of the site
                            self._outboxes[message["channel"].decode()].receive(message["data"])
            finally:
                self.hears = False
