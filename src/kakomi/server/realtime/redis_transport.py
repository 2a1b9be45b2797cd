"""Letters carried between processes by Redis."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from kakomi.server.realtime.outbox import Outbox

if TYPE_CHECKING:
    from redis.asyncio import Redis

Work: TypeAlias = "Callable[[Redis], Awaitable[None]]"
RETRY_SECONDS = 1.0
TIMEOUT_SECONDS = 2.0
_LOG = logging.getLogger(__name__)


class RedisTransport:
    """Publishes what is in the mail, and hands over what others publish.

    Nobody waits for it: it works in tasks of its own, and tries again for as long as Redis is away.
    """

    def __init__(self, url: str, site: str, *mails: Outbox[Any]) -> None:
        """`site` is what the channels of this site begin with."""
        self._url = url
        self._mails = {f"{site}:{mail.topic}": mail for mail in mails}
        self.hears = False
        """Whether letters of others arrive at present."""

    async def run(self) -> None:
        """Carry letters until cancelled."""
        self._loop, self._wanted = asyncio.get_running_loop(), asyncio.Event()
        for mail in self._mails.values():
            mail.open(self._wake)
        try:
            await asyncio.gather(self._again(self._publish), self._again(self._hear))
        finally:
            for mail in self._mails.values():
                mail.close()

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
            for channel, mail in self._mails.items():
                await self._send(client, channel, mail)

    async def _send(self, client: "Redis", channel: str, mail: Outbox[Any]) -> None:
        if not (taken := mail.take()):
            return
        pipeline = client.pipeline(transaction=False)
        for name, letter in taken.items():
            pipeline.publish(channel, mail.spelled(name, letter))
        try:
            await pipeline.execute()
        except BaseException:
            mail.come_back(taken)
            self._wake()  # for what the other mails have
            raise

    async def _hear(self, client: "Redis") -> None:
        async with client.pubsub(ignore_subscribe_messages=True) as subscription:
            await subscription.subscribe(*self._mails)
            self.hears = True
            try:
                while True:
                    if message := await subscription.get_message(timeout=TIMEOUT_SECONDS):
                        with contextlib.suppress(ValueError):  # of another version of the site
                            self._mails[message["channel"].decode()].arrived(message["data"])
            finally:
                self.hears = False
