"""Publish and subscribe by topic, within this process.

A topic is a code, such as a table's, that only has a meaning to the apps.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Hashable, Iterator
from typing import Generic, TypeVar

Listener = TypeVar("Listener", bound=Hashable)
Forward = Callable[[str, int], None]
"""Forwards a topic's code and the number of its latest news to other processes; called from any thread."""


class ThreadEvent:
    """An event that is set from any thread and awaited by one coroutine."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._event = asyncio.Event()

    def set(self) -> None:
        """Wake the waiting coroutine. Does nothing if its event loop is closed."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._event.set)

    async def wait(self, seconds: float | None = None) -> None:
        """Wait until it has been set since the last call, or for so many seconds."""
        timer = None if seconds is None else self._loop.call_later(seconds, self._event.set)
        try:
            await self._event.wait()
        finally:
            if timer:
                timer.cancel()
        self._event.clear()


class Subscribers(Generic[Listener]):
    """Subscribers by topic. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscribers: dict[str, set[Listener]] = {}

    @contextlib.contextmanager
    def listening(self, code: str, listener: Listener) -> Iterator[None]:
        """Subscribe a listener to a topic within the context."""
        with self._lock:
            self._subscribers.setdefault(code, set()).add(listener)
        try:
            yield
        finally:
            with self._lock:
                self._subscribers[code].discard(listener)
                if not self._subscribers[code]:
                    del self._subscribers[code]

    def at(self, code: str) -> tuple[Listener, ...]:
        """The listeners of a topic."""
        with self._lock:
            return tuple(self._subscribers.get(code, ()))

    def codes(self) -> list[str]:
        """The topics with listeners."""
        with self._lock:
            return list(self._subscribers)

    def __len__(self) -> int:
        with self._lock:
            return sum(map(len, self._subscribers.values()))


class Broker:
    """News of topics: announced from any thread, received by coroutines.

    News is a number that only grows, such as a table's `news`. So a slow listener needs only the latest one,
    and receives a repeated one once.
    """

    def __init__(self) -> None:
        self._subscribers: Subscribers[NewsListener] = Subscribers()
        self._bot_events: set[ThreadEvent] = set()
        self.forwarders: list[Forward] = []
        """Called with all announcements, to send them to other processes."""

    def announce(self, code: str, news: int, *, to_bots: bool = False) -> None:
        """Announce news to all listeners, here and in other processes, and to the bots if one has to act."""
        self.tell(code, news)
        for forward in tuple(self.forwarders):
            forward(code, news)
        if to_bots:
            for event in tuple(self._bot_events):
                event.set()

    def tell(self, code: str, news: int) -> None:
        """Announce news to the listeners in this process."""
        for subscriber in self._subscribers.at(code):
            subscriber.tell(news)

    async def news(self, code: str) -> AsyncGenerator[int, None]:
        """Yield the numbers announced for a topic from now on."""
        event = ThreadEvent()
        with self.listening(code, event) as listener:
            while True:
                if (number := listener.take_pending()) is None:
                    await event.wait()
                else:
                    yield number

    @contextlib.contextmanager
    def listening(self, code: str, event: ThreadEvent) -> "Iterator[NewsListener]":
        """A context with a listener to a topic. The event is set when there is news."""
        listener = NewsListener(event)
        with self._subscribers.listening(code, listener):
            yield listener

    def bot_event(self) -> ThreadEvent:
        """An event that is set whenever a bot has to act, for the current event loop."""
        event = ThreadEvent()
        self._bot_events.add(event)
        return event

    def remove_bot_event(self, event: ThreadEvent) -> None:
        """Stop setting an event."""
        self._bot_events.discard(event)

    @property
    def listeners(self) -> int:
        """The number of listeners."""
        return len(self._subscribers)

    def watched(self) -> list[str]:
        """The topics with listeners."""
        return self._subscribers.codes()


class NewsListener:
    """A listener to the news of a topic."""

    def __init__(self, event: ThreadEvent) -> None:
        self._event = event
        self._latest = self._delivered = -1

    def tell(self, news: int) -> None:
        """Deliver news, unless later ones were delivered."""
        if news > self._latest:
            self._latest = news
            self._event.set()

    def take_pending(self) -> int | None:
        """The number of the latest news, or None if this has returned it before."""
        if self._latest <= self._delivered:
            return None
        self._delivered = self._latest
        return self._delivered


BROKER = Broker()
"""The broker of this process."""
