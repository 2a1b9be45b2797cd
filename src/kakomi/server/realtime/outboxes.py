"""Outboxes: news and ephemeral messages for other processes, gathered until they can be sent."""

import asyncio
import secrets
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from kakomi.server.realtime.broker import Broker
from kakomi.server.realtime.ephemeral import (
    CONTENT_TYPES,
    PRESENCE,
    RECEIVERS,
    SIGN_OF_LIFE,
    EphemeralMessages,
)

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
