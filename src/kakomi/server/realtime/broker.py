"""Publish and subscribe by topic, within this process.

A topic is a code, such as a table's; what it means is the apps' affair.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Hashable, Iterator, Mapping
from typing import Generic, TypeVar

Listener = TypeVar("Listener", bound=Hashable)
Forward = Callable[[str, int], None]
"""Takes a topic's code and the number of its latest news to other processes; called from any thread."""


class ThreadEvent:
    """Set from any thread, awaited by one coroutine."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._event = asyncio.Event()

    def set(self) -> None:
        """Wake who waits; a loop that has ended doesn't mind."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._event.set)

    async def wait(self, seconds: float | None = None) -> None:
        """Wait until it has been set since the last time, or so long."""
        timer = None if seconds is None else self._loop.call_later(seconds, self._event.set)
        try:
            await self._event.wait()
        finally:
            if timer:
                timer.cancel()
        self._event.clear()


class Subscribers(Generic[Listener]):
    """Those who listen, by topic; for any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscribers: dict[str, set[Listener]] = {}

    @contextlib.contextmanager
    def listening(self, code: str, listener: Listener) -> Iterator[None]:
        """Add a listener to a topic."""
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
    """News of topics: announced from any thread, heard by coroutines.

    News is a number that only grows, such as a table's `news`. A slow listener therefore needs only the
    latest one, and hears a repeated one once.
    """

    def __init__(self) -> None:
        self._subscribers: Subscribers[NewsListener] = Subscribers()
        self._bot_events: set[ThreadEvent] = set()
        self._forwarders: list[Forward] = []

    def announce(self, code: str, news: int, *, to_bots: bool = False) -> None:
        """Tell all who listen, here and in other processes, and wake the bots if one has to act."""
        self.tell(code, news)
        for forward in tuple(self._forwarders):
            forward(code, news)
        if to_bots:
            for event in tuple(self._bot_events):
                event.set()

    def tell(self, code: str, news: int) -> None:
        """Tell those who listen in this process."""
        for subscriber in self._subscribers.at(code):
            subscriber.tell(news)

    def tell_all(self, latest: Mapping[str, int]) -> None:
        """Tell of several topics at once."""
        for code, news in latest.items():
            self.tell(code, news)

    async def news(self, code: str) -> AsyncGenerator[int, None]:
        """The numbers that are announced for a topic from now on."""
        event = ThreadEvent()
        with self.listening(code, event) as listener:
            while True:
                if (number := listener.unheard()) is None:
                    await event.wait()
                else:
                    yield number

    @contextlib.contextmanager
    def listening(self, code: str, event: ThreadEvent) -> "Iterator[NewsListener]":
        """A listener to a topic; the event is set when there is something to hear."""
        listener = NewsListener(event)
        with self._subscribers.listening(code, listener):
            yield listener

    def bot_event(self) -> ThreadEvent:
        """An event that is set whenever a bot has to act; for the event loop that asks for it."""
        event = ThreadEvent()
        self._bot_events.add(event)
        return event

    def remove_bot_event(self, event: ThreadEvent) -> None:
        """Set an event no longer."""
        self._bot_events.discard(event)

    def add_forwarder(self, forward: Forward) -> None:
        """Add a receiver of all announcements from now on."""
        self._forwarders.append(forward)

    def remove_forwarder(self, forward: Forward) -> None:
        """Remove a receiver."""
        self._forwarders.remove(forward)

    @property
    def listeners(self) -> int:
        """The number of listeners."""
        return len(self._subscribers)

    def watched(self) -> list[str]:
        """The topics with waiting listeners."""
        return self._subscribers.codes()


class NewsListener:
    """Hears the news of a topic."""

    def __init__(self, event: ThreadEvent) -> None:
        self._event = event
        self._latest = self._heard = -1

    def tell(self, news: int) -> None:
        """Let it hear of some news, unless it has heard of later ones."""
        if news > self._latest:
            self._latest = news
            self._event.set()

    def unheard(self) -> int | None:
        """The number of the latest news, once; None if it has been heard."""
        if self._latest <= self._heard:
            return None
        self._heard = self._latest
        return self._heard


BROKER = Broker()
"""This process's."""
