"""News and ephemeral messages between the processes of a site: gathered, then carried by Redis."""

import asyncio
import contextlib
import hashlib
import logging
import secrets
import threading
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

import msgspec
from asgiref.sync import sync_to_async
from django.conf import settings

from kakomi.server.database import FailureLog
from kakomi.server.pacing import TRAFFIC
from kakomi.server.realtime.broker import BROKER, Broker
from kakomi.server.realtime.ephemeral import (
    CONTENT_TYPES,
    MESSAGES,
    PRESENCE,
    RECEIVERS,
    SIGN_OF_LIFE,
    EphemeralMessages,
)

if TYPE_CHECKING:
    from redis.asyncio import Redis


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


MOST_PENDING = 10_000
"""While it can't be sent no more is kept, the oldest left out first."""
REPEAT_SECONDS = 5.0
"""The interval, in seconds, at which a process repeats its presence: a sign of life."""

Message = TypeVar("Message")


class Outbox(ABC, Generic[Message]):
    """Messages of one kind, gathered from any thread until they are taken and sent.

    Each has a name, and of a name only one message is sent at a time.
    """

    topic: ClassVar[str]
    """The name of its channel."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pending: dict[Hashable, Message] = {}
        self._wake: Callable[[], None] = lambda: None

    def open(self, wake: Callable[[], None]) -> None:
        """Gather messages from now on, and wake the sender."""
        self._wake = wake

    def close(self) -> None:
        """Gather nothing any more."""
        self._wake = lambda: None

    def post(self, name: Hashable, message: Message) -> None:
        """Have a message sent."""
        with self._lock:
            former = self._pending.pop(name, None)
            self._pending[name] = message if former is None else self.merge(former, message)
            while len(self._pending) > MOST_PENDING:
                del self._pending[next(iter(self._pending))]
        self._wake()

    def take(self) -> dict[Hashable, Message]:
        """All that is to be sent, which is now the taker's business."""
        with self._lock:
            taken, self._pending = self._pending, {}
        return taken

    def merge(self, former: Message, latter: Message) -> Message:
        """Which of two messages of the same name is to be sent."""
        del former
        return latter

    @abstractmethod
    def give_back(self, messages: Mapping[Hashable, Message]) -> None:
        """Take back messages that could not be sent."""

    @abstractmethod
    def encode(self, name: Hashable, message: Message) -> bytes:
        """A message as it is sent."""

    @abstractmethod
    def receive(self, said: bytes) -> None:
        """Receive a message of this or another process. Raises ValueError for other data."""


class NewsOutbox(Outbox[int]):
    """Carries the number of every topic's latest news. The database has it too, if one gets lost."""

    topic = "news"

    def __init__(self, broker: Broker) -> None:
        super().__init__()
        self._broker = broker

    def open(self, wake: Callable[[], None]) -> None:
        """Gather announcements from now on."""
        super().open(wake)
        self._broker.add_forwarder(self.post)

    def close(self) -> None:
        """Gather nothing any more."""
        self._broker.remove_forwarder(self.post)
        super().close()

    def merge(self, former: int, latter: int) -> int:
        """The latest, in whatever order threads tell of them."""
        return max(former, latter)

    def give_back(self, messages: Mapping[Hashable, int]) -> None:
        """They are sent when that is possible again."""
        for code, news in messages.items():
            self.post(code, news)

    def encode(self, name: Hashable, message: int) -> bytes:
        """A code and a number."""
        return f"{name} {message}".encode()

    def receive(self, said: bytes) -> None:
        """Tell those who listen in this process."""
        code, news = said.decode().split()
        self._broker.tell(code, int(news))


class _Envelope(msgspec.Struct, omit_defaults=True):
    process: str
    code: str
    kind: str
    content: msgspec.Raw
    to: int | None = None


class EphemeralOutbox(Outbox[_Envelope]):
    """Carries ephemeral messages: those that can't be sent at once are dropped."""

    topic = "whispers"

    def __init__(self, messages: EphemeralMessages) -> None:
        super().__init__()
        self._messages = messages
        self._process = secrets.token_hex(8)

    def open(self, wake: Callable[[], None]) -> None:
        """Gather messages from now on."""
        super().open(wake)
        self._messages.add_forwarder(self._forward)

    def close(self) -> None:
        """Gather nothing any more."""
        self._messages.remove_forwarder(self._forward)
        super().close()

    async def keep_up(self) -> None:
        """Repeat who is there, for ever."""
        while True:
            await asyncio.sleep(REPEAT_SECONDS)
            self._messages.keep_up()

    def give_back(self, messages: Mapping[Hashable, _Envelope]) -> None:
        """Let go of them: by the time that they could be sent, something else is true."""

    def encode(self, name: Hashable, message: _Envelope) -> bytes:
        """As JSON."""
        return msgspec.json.encode(message)

    def receive(self, said: bytes) -> None:
        """Tell those who listen in this process, unless it comes from here."""
        message = msgspec.json.decode(said, type=_Envelope)
        if message.process == self._process:
            return
        content = msgspec.json.decode(message.content, type=CONTENT_TYPES.get(message.kind, Any))
        if message.kind == PRESENCE:
            self._messages.note_remote(message.process, message.code, content)
        elif message.kind == SIGN_OF_LIFE:
            self._messages.note_life_here(message.code, content)
        elif message.kind in RECEIVERS:
            RECEIVERS[message.kind](message.code, content)
        elif message.kind in CONTENT_TYPES:
            self._messages.tell_here(message.code, message.kind, content, to=message.to)

    def _forward(self, code: str, kind: str, content: object, to: int | None) -> None:
        message = _Envelope(self._process, code, kind, msgspec.Raw(msgspec.json.encode(content)), to)
        self.post((code, kind, to), message)


Work: TypeAlias = "Callable[[Redis], Awaitable[None]]"
RETRY_SECONDS = 1.0
TIMEOUT_SECONDS = 2.0


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
