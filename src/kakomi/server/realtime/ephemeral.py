"""Ephemeral messages of topics, delivered at once or never: presence, and other kinds.

Presence in the site's other processes is known from their messages, and expires.
"""

import contextlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any, NamedTuple

from kakomi.server.realtime.broker import Subscribers, ThreadEvent

LAPSE_SECONDS = 15.0
"""The time after which a process's presence messages expire; it repeats them more often than that."""


MOST_TOPICS = 20_000
"""The most topics to store; those longest without messages are dropped first."""


Guests = frozenset[int | None]
"""Primary keys of guests; None is a visitor who isn't a guest yet."""


NOBODY: Guests = frozenset()


class _Seen(NamedTuple):
    guests: Guests
    at: float


class RemotePresence:
    """The latest presence in other processes. Thread-safe."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._topics: OrderedDict[str, dict[str, _Seen]] = OrderedDict()
        """Topic -> process -> the guests present there."""

    def note(self, process: str, code: str, guests: Guests) -> None:
        """Store who is at a topic in another process; an empty set if nobody is any more."""
        with self._lock:
            said = self._topics.pop(code, {})
            said.pop(process, None)
            if guests:
                said[process] = _Seen(guests, self._now())
            if said:
                self._topics[code] = said
            while len(self._topics) > MOST_TOPICS:
                self._topics.popitem(last=False)

    def at(self, code: str) -> Guests:
        """The guests at a topic in any other process."""
        with self._lock:
            return NOBODY.union(*(said.guests for said in self._topics.get(code, {}).values()))

    def lapse(self) -> list[str]:
        """Remove expired presence. Returns the topics that it changes."""
        oldest = self._now() - LAPSE_SECONDS
        with self._lock:
            lapsed = [
                (code, process)
                for code, processes in self._topics.items()
                for process, said in processes.items()
                if said.at < oldest
            ]
            for code, process in lapsed:
                del self._topics[code][process]
                if not self._topics[code]:
                    del self._topics[code]
        return list({code: None for code, _ in lapsed})


CONTENT_TYPES: dict[str, Any] = {}
"""Kind of message -> the type of its content."""
RECEIVERS: dict[str, Callable[[str, Any], object]] = {}
"""Kind of message between processes -> its receiver, which takes the topic's code and the content."""


def message_kind(name: str, content: Any) -> str:
    """Register a kind of message, with the type of its content, and return its name."""
    CONTENT_TYPES[name] = content
    return name


def process_message_kind(name: str, content: Any, receive: Callable[[str, Any], object]) -> str:
    """Register a kind of message between processes; `receive` takes the topic's code and the content."""
    RECEIVERS[name] = receive
    return message_kind(name, content)


PRESENCE = message_kind("presence", Guests)
"""Presence; the content is everybody who is there."""
STREAM = message_kind("stream", str)
"""The first message of every stream; the content is its name, with which its page sends signs of life."""
SIGN_OF_LIFE = message_kind("sign of life", str)
"""A page's sign of life; the content is its stream's name. Only for other processes."""
SILENCE_SECONDS = 10.0
"""How long after its last sign of life a page counts as closed, even if its connection is open."""
Pending = dict[str, object]
"""The latest undelivered message of every kind."""
Forward = Callable[[str, str, object, int | None], None]
"""Forwards a topic's code, a kind, a content and the only recipient, if any; called from any thread."""


class EphemeralMessages:
    """Messages from any thread to coroutines of this process. Only the latest of each kind is delivered."""

    def __init__(self) -> None:
        self._subscribers: Subscribers[MessageListener] = Subscribers()
        self._remote = RemotePresence()
        self.forwarders: list[Forward] = []
        """Called with all messages, to send them to other processes."""

    def tell(self, code: str, kind: str, content: object, *, to: int | None = None) -> None:
        """Send a message to all listeners of a topic, or only one guest's, here and in other processes."""
        self.tell_here(code, kind, content, to=to)
        self.tell_processes(code, kind, content, to)

    def tell_here(self, code: str, kind: str, content: object, *, to: int | None = None) -> None:
        """Send a message to listeners in this process."""
        for subscriber in self._subscribers.at(code):
            if to is None or subscriber.who == to:
                subscriber.tell(kind, content)

    async def messages(self, code: str, who: int | None, name: str = "") -> AsyncGenerator[Pending, None]:
        """Yield a topic's messages from now on. While `who` listens, they are present. `name` is the
        stream's.

        Ends when a page that has sent signs of life stops doing so.
        """
        event = ThreadEvent()
        with self.listening(code, who, event, name) as listener:
            while not listener.has_gone:
                if pending := listener.take_pending():
                    yield pending
                else:
                    await event.wait(listener.patience)

    @contextlib.contextmanager
    def listening(
        self, code: str, who: int | None, event: ThreadEvent, name: str = ""
    ) -> "Iterator[MessageListener]":
        """A context with a listener as in `messages`. The event is set when there are messages."""
        listener = MessageListener(who, name, event)
        listener.tell(STREAM, listener.name)
        try:
            with self._subscribers.listening(code, listener):
                self._tell_presence(code)
                yield listener
        finally:
            self._tell_presence(code)

    def tell_processes(self, code: str, kind: str, content: object, about: int | None = None) -> None:
        """Send a message only to other processes; of unsent ones about a guest, only the latest is sent."""
        for forward in tuple(self.forwarders):
            forward(code, kind, content, about)

    def note_life(self, code: str, stream: str) -> None:
        """Record a sign of life of a stream's page, or forward it if the stream is in another process."""
        if not self.note_life_here(code, stream):
            self.tell_processes(code, SIGN_OF_LIFE, stream)

    def note_life_here(self, code: str, stream: str) -> bool:
        """Record a sign of life of a stream's page. Returns False if the stream isn't in this process."""
        for subscriber in self._subscribers.at(code):
            if subscriber.name == stream:
                subscriber.note_life()
                return True
        return False

    def present(self, code: str) -> Guests:
        """The guests who are present at a topic."""
        return self._here(code) | self._remote.at(code)

    def note_remote(self, process: str, code: str, guests: Guests) -> None:
        """Record who listens to a topic in another process."""
        before = self._remote.at(code)
        self._remote.note(process, code, guests)
        if self._remote.at(code) != before:
            self.tell_here(code, PRESENCE, self.present(code))

    def keep_up(self) -> None:
        """Repeat this process's presence messages, and remove expired ones of other processes."""
        for code in self._subscribers.codes():
            self.tell_processes(code, PRESENCE, self._here(code))
        for code in self._remote.lapse():
            self.tell_here(code, PRESENCE, self.present(code))

    def _tell_presence(self, code: str) -> None:
        self.tell_here(code, PRESENCE, self.present(code))
        self.tell_processes(code, PRESENCE, self._here(code))

    def _here(self, code: str) -> Guests:
        return frozenset(subscriber.who for subscriber in self._subscribers.at(code))


class MessageListener:
    """A listener to the messages of a topic."""

    def __init__(self, who: int | None, name: str, event: ThreadEvent) -> None:
        self.who = who
        self.name = name or secrets.token_urlsafe(9)
        self._answered_at: float | None = None
        """The time of its page's last sign of life; None if there was none, as from programs."""
        self._event = event
        self._lock = threading.Lock()
        self._pending: Pending = {}

    def tell(self, kind: str, content: object) -> None:
        """Queue a message, replacing one of the same kind."""
        with self._lock:
            self._pending[kind] = content
        self._event.set()

    def note_life(self) -> None:
        """Record a sign of life of its page."""
        is_first, self._answered_at = self._answered_at is None, time.monotonic()
        if is_first:
            self._event.set()  # ends a wait without timeout

    def take_pending(self) -> Pending:
        """Remove and return the queued messages."""
        with self._lock:
            pending, self._pending = self._pending, {}
        return pending

    @property
    def patience(self) -> float | None:
        """The seconds until its page counts as closed; None if it hasn't sent any sign of life yet."""
        answered = self._answered_at
        return None if answered is None else max(0.0, answered + SILENCE_SECONDS - time.monotonic())

    @property
    def has_gone(self) -> bool:
        """Whether its page has stopped sending signs of life."""
        return self.patience == 0


MESSAGES = EphemeralMessages()
"""The messages of this process."""
