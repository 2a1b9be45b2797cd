"""News and ephemeral messages between the processes of a site, by the database and Redis."""

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

from kakomi.server.realtime.broker import BROKER, Broker
from kakomi.server.realtime.ephemeral import (
    CONTENT_TYPES,
    MESSAGES,
    PRESENCE,
    RECEIVERS,
    SIGN_OF_LIFE,
    EphemeralMessages,
)
from kakomi.server.site.database import FailureLog
from kakomi.server.site.pacing import TRAFFIC

if TYPE_CHECKING:
    from redis.asyncio import Redis


POLL_SECONDS = 0.25
"""The interval between queries for news from other processes, in seconds."""
SAFETY_SECONDS = 1.0
"""The same while Redis delivers news, for those of processes without a connection to it."""

Latest = Callable[[Sequence[str]], Mapping[str, int]]
"""Returns the numbers of some topics' latest news from the database."""
_LOG = logging.getLogger(__name__)


class PubSub:
    """Delivers news and messages of other processes to listeners in this one, by the database and Redis.

    For news the database is enough; Redis makes it faster. Ephemeral messages need Redis.
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
        outboxes = (self._ephemeral, NewsOutbox(broker))  # messages about answers are sent before the news
        self._transport = RedisTransport(redis_url, site(), *outboxes) if redis_url else None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start the tasks."""
        self._tasks.append(asyncio.create_task(self._poll()))
        if self._transport:
            self._tasks.append(asyncio.create_task(self._transport.run()))
            self._tasks.append(asyncio.create_task(self._ephemeral.keep_up()))

    async def stop(self) -> None:
        """Stop the tasks."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _poll(self) -> None:
        """Query the news of all topics with listeners forever, with a single query each time.

        Listeners that have already received them from their own process don't receive them again.
        """
        failures = FailureLog(_LOG)
        while True:
            is_subscribed = self._transport is not None and self._transport.is_subscribed
            await asyncio.sleep(TRAFFIC.interval(SAFETY_SECONDS if is_subscribed else POLL_SECONDS))
            if watched := self._broker.watched():
                with failures.attempt("looking for news"):
                    for code, news in (await sync_to_async(self._latest)(watched)).items():
                        self._broker.tell(code, news)


def site() -> str:
    """The prefix of this site's Redis channels, derived from its secret key."""
    return f"kakomi:{hashlib.sha256(f'news {settings.SECRET_KEY}'.encode()).hexdigest()[:20]}"


MOST_PENDING = 10_000
"""The most unsent messages; the oldest are dropped first."""
REPEAT_SECONDS = 5.0
"""The interval at which a process repeats its presence messages, in seconds."""

Message = TypeVar("Message")


class Outbox(ABC, Generic[Message]):
    """Unsent messages of one kind, posted from any thread.

    Each has a name; unsent messages with the same name are merged into one.
    """

    topic: ClassVar[str]
    """The name of its channel, without the site's prefix."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pending: dict[Hashable, Message] = {}
        self._wake: Callable[[], None] = lambda: None

    def open(self, wake: Callable[[], None]) -> None:
        """Start collecting messages; `wake` is called for each."""
        self._wake = wake

    def close(self) -> None:
        """Stop collecting messages."""
        self._wake = lambda: None

    def post(self, name: Hashable, message: Message) -> None:
        """Add a message to be sent."""
        with self._lock:
            former = self._pending.pop(name, None)
            self._pending[name] = message if former is None else self.merge(former, message)
            while len(self._pending) > MOST_PENDING:
                del self._pending[next(iter(self._pending))]
        self._wake()

    def take(self) -> dict[Hashable, Message]:
        """Remove and return all unsent messages."""
        with self._lock:
            taken, self._pending = self._pending, {}
        return taken

    def merge(self, former: Message, latter: Message) -> Message:
        """The message to send instead of two with the same name."""
        del former
        return latter

    @abstractmethod
    def handle_unsent(self, messages: Mapping[Hashable, Message]) -> None:
        """Handle messages that couldn't be sent."""

    @abstractmethod
    def encode(self, name: Hashable, message: Message) -> bytes:
        """Encode a message for its channel."""

    @abstractmethod
    def receive(self, data: bytes) -> None:
        """Receive a message of this or another process. Raises ValueError for other data."""


class NewsOutbox(Outbox[int]):
    """The numbers of topics' latest news. If one gets lost, the database still has it."""

    topic = "news"

    def __init__(self, broker: Broker) -> None:
        super().__init__()
        self._broker = broker

    def open(self, wake: Callable[[], None]) -> None:
        """Start collecting announcements."""
        super().open(wake)
        self._broker.forwarders.append(self.post)

    def close(self) -> None:
        """Stop collecting announcements."""
        self._broker.forwarders.remove(self.post)
        super().close()

    def merge(self, former: int, latter: int) -> int:
        """The latest number, as threads may post them out of order."""
        return max(former, latter)

    def handle_unsent(self, messages: Mapping[Hashable, int]) -> None:
        """Post them again, to be sent later."""
        for code, news in messages.items():
            self.post(code, news)

    def encode(self, name: Hashable, message: int) -> bytes:
        """Encode the code and the number, separated by a space."""
        return f"{name} {message}".encode()

    def receive(self, data: bytes) -> None:
        """Announce the news to listeners in this process."""
        code, news = data.decode().split()
        self._broker.tell(code, int(news))


class _Envelope(msgspec.Struct, omit_defaults=True):
    process: str
    code: str
    kind: str
    content: msgspec.Raw
    to: int | None = None


class EphemeralOutbox(Outbox[_Envelope]):
    """Ephemeral messages. Those that can't be sent at once are dropped."""

    topic = "messages"

    def __init__(self, messages: EphemeralMessages) -> None:
        super().__init__()
        self._messages = messages
        self._process = secrets.token_hex(8)

    def open(self, wake: Callable[[], None]) -> None:
        """Start collecting messages."""
        super().open(wake)
        self._messages.forwarders.append(self._forward)

    def close(self) -> None:
        """Stop collecting messages."""
        self._messages.forwarders.remove(self._forward)
        super().close()

    async def keep_up(self) -> None:
        """Repeat presence messages forever."""
        while True:
            await asyncio.sleep(REPEAT_SECONDS)
            self._messages.keep_up()

    def handle_unsent(self, messages: Mapping[Hashable, _Envelope]) -> None:
        """Drop them: by the time they could be sent, they would be out of date."""

    def encode(self, name: Hashable, message: _Envelope) -> bytes:
        """Encode the message as JSON."""
        return msgspec.json.encode(message)

    def receive(self, data: bytes) -> None:
        """Deliver a message in this process, unless it comes from here."""
        message = msgspec.json.decode(data, type=_Envelope)
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
    """Publishes the outboxes' messages, and delivers those of other processes. It runs in its own tasks, and
    keeps retrying while Redis is unavailable."""

    def __init__(self, url: str, site: str, *outboxes: Outbox[Any]) -> None:
        """`site` is the prefix of this site's channels."""
        import redis.asyncio  # noqa: F401 (other threads may otherwise see it partially imported)

        self._url = url
        self._outboxes = {f"{site}:{outbox.topic}": outbox for outbox in outboxes}
        self.is_subscribed = False
        """Whether the subscription to other processes' messages is active."""

    async def run(self) -> None:
        """Publish and receive messages until cancelled."""
        self._loop, self._wanted = asyncio.get_running_loop(), asyncio.Event()
        for outbox in self._outboxes.values():
            outbox.open(self._wake)
        try:
            await asyncio.gather(self._retry_forever(self._publish), self._retry_forever(self._subscribe))
        finally:
            for outbox in self._outboxes.values():
                outbox.close()

    def _wake(self) -> None:
        self._loop.call_soon_threadsafe(self._wanted.set)

    async def _retry_forever(self, work: "Work") -> None:
        """Do some work with a connection, and start over with a new one whenever it fails."""
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
        from redis.exceptions import RedisError

        is_logged = False
        while True:
            client: Redis = Redis.from_url(
                self._url,
                socket_timeout=TIMEOUT_SECONDS,
                socket_connect_timeout=TIMEOUT_SECONDS,
                retry=Retry(NoBackoff(), 0),
            )
            try:
                await client.ping()
                is_logged = False
                await work(client)
            except (RedisError, OSError) as error:
                if not is_logged:
                    _LOG.warning("Redis is away; until it is back news come from the database: %s", error)
                is_logged = True
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
            outbox.handle_unsent(taken)
            self._wake()  # for the messages in the other outboxes
            raise

    async def _subscribe(self, client: "Redis") -> None:
        async with client.pubsub(ignore_subscribe_messages=True) as subscription:
            await subscription.subscribe(*self._outboxes)
            self.is_subscribed = True
            try:
                while True:
                    if message := await subscription.get_message(timeout=TIMEOUT_SECONDS):
                        with contextlib.suppress(ValueError):  # from another version of the site
                            self._outboxes[message["channel"].decode()].receive(message["data"])
            finally:
                self.is_subscribed = False
