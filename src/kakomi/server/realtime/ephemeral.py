"""Ephemeral messages, delivered at once or never: presence, and whatever else passes at a topic.

Presence in the other processes of the site is known from what they send, and lapses.
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
"""For so long what a process said counts; it repeats it several times in between."""


MOST_TOPICS = 20_000
"""The most topics that are kept; those without messages for longest go first."""


Guests = frozenset[int | None]
"""None: a visitor without a number yet."""


NOBODY: Guests = frozenset()


class _Seen(NamedTuple):
    guests: Guests
    at: float


class RemotePresence:
    """The latest presence in other processes; for any thread."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._topics: OrderedDict[str, dict[str, _Seen]] = OrderedDict()
        """Topic -> process -> who is there."""

    def note(self, process: str, code: str, guests: Guests) -> None:
        """Note who is at a topic in another process; nobody, if the last has gone."""
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
        """The guests at a topic in any of them."""
        with self._lock:
            return NOBODY.union(*(said.guests for said in self._topics.get(code, {}).values()))

    def lapse(self) -> list[str]:
        """Forget what processes said that have fallen silent; the topics at which that changes something."""
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
"""Kind of message -> the type of what comes with it."""
RECEIVERS: dict[str, Callable[[str, Any], object]] = {}
"""Kind of message that is for other processes alone -> what takes its topic's code and content."""


def message_kind(name: str, content: Any) -> str:
    """Let messages of a kind go from process to process; `content` is the type of what comes with them."""
    CONTENT_TYPES[name] = content
    return name


def process_message_kind(name: str, content: Any, receive: Callable[[str, Any], object]) -> str:
    """Let processes tell each other something; `receive` takes a topic's code and the content."""
    RECEIVERS[name] = receive
    return message_kind(name, content)


PRESENCE = message_kind("presence", Guests)
"""The kind of messages about presence; the content is everybody who is there."""
STREAM = message_kind("stream", str)
"""The first message of every stream: the name by which its page answers."""
SIGN_OF_LIFE = message_kind("sign of life", str)
"""A page answers; the content is its stream's name. For other processes alone."""
SILENCE_SECONDS = 10.0
"""A page that has answered once, and then not for so long, has gone, whatever its connection looks like."""
Unheard = dict[str, object]
"""The latest of every kind that has not been heard yet."""
Forward = Callable[[str, str, object, int | None], None]
"""Takes a topic's code, a kind, the content and the only recipient, if any; called from any thread."""


class EphemeralMessages:
    """Messages from any thread to coroutines of this process. Of every kind only the latest counts."""

    def __init__(self) -> None:
        self._subscribers: Subscribers[MessageListener] = Subscribers()
        self._remote = RemotePresence()
        self._forwarders: list[Forward] = []

    def tell(self, code: str, kind: str, content: object, *, to: int | None = None) -> None:
        """Tell all who listen at a topic, or one guest's pages alone, here and in other processes."""
        self.tell_here(code, kind, content, to=to)
        self._forward(code, kind, content, to)

    def tell_here(self, code: str, kind: str, content: object, *, to: int | None = None) -> None:
        """Tell those who listen in this process."""
        for subscriber in self._subscribers.at(code):
            if to is None or subscriber.who == to:
                subscriber.tell(kind, content)

    async def heard(self, code: str, who: int | None, name: str = "") -> AsyncGenerator[Unheard, None]:
        """The messages at a topic from now on. While `who` listens, they are present. `name` is the stream's.

        They end for a page that answered and has fallen silent.
        """
        event = ThreadEvent()
        with self.listening(code, who, event, name) as listener:
            while not listener.has_gone:
                if unheard := listener.unheard():
                    yield unheard
                else:
                    await event.wait(listener.patience)

    @contextlib.contextmanager
    def listening(
        self, code: str, who: int | None, event: ThreadEvent, name: str = ""
    ) -> "Iterator[MessageListener]":
        """A listener as in `heard`; the event is set when there is something to hear."""
        listener = MessageListener(who, name, event)
        listener.tell(STREAM, listener.name)
        try:
            with self._subscribers.listening(code, listener):
                self._tell_presence(code)
                yield listener
        finally:
            self._tell_presence(code)

    def tell_processes(self, code: str, kind: str, content: object, *, about: int | None = None) -> None:
        """Tell other processes; of what waits for them about one guest at a topic only the latest counts."""
        self._forward(code, kind, content, about)

    def note_life(self, code: str, stream: str) -> None:
        """The page of a stream at a topic answers, which may be another process's."""
        if not self.note_life_here(code, stream):
            self._forward(code, SIGN_OF_LIFE, stream)

    def note_life_here(self, code: str, stream: str) -> bool:
        """Whether there is such a stream in this process."""
        for subscriber in self._subscribers.at(code):
            if subscriber.name == stream:
                subscriber.note_life()
                return True
        return False

    def present(self, code: str) -> Guests:
        """The guests who are present at a topic."""
        return self._here(code) | self._remote.at(code)

    def note_remote(self, process: str, code: str, guests: Guests) -> None:
        """Another process says who listens at a topic there."""
        before = self._remote.at(code)
        self._remote.note(process, code, guests)
        if self._remote.at(code) != before:
            self.tell_here(code, PRESENCE, self.present(code))

    def keep_up(self) -> None:
        """Say again who is here, and forget what other processes said that don't."""
        for code in self._subscribers.codes():
            self._forward(code, PRESENCE, self._here(code))
        for code in self._remote.lapse():
            self.tell_here(code, PRESENCE, self.present(code))

    def add_forwarder(self, forward: Forward) -> None:
        """Add a forwarder of all messages from now on."""
        self._forwarders.append(forward)

    def remove_forwarder(self, forward: Forward) -> None:
        """Remove a receiver."""
        self._forwarders.remove(forward)

    def _tell_presence(self, code: str) -> None:
        self.tell_here(code, PRESENCE, self.present(code))
        self._forward(code, PRESENCE, self._here(code))

    def _here(self, code: str) -> Guests:
        return frozenset(subscriber.who for subscriber in self._subscribers.at(code))

    def _forward(self, code: str, kind: str, content: object, to: int | None = None) -> None:
        for forward in tuple(self._forwarders):
            forward(code, kind, content, to)


class MessageListener:
    """Hears the messages at a topic."""

    def __init__(self, who: int | None, name: str, event: ThreadEvent) -> None:
        self.who = who
        self.name = name or secrets.token_urlsafe(9)
        self._answered_at: float | None = None
        """When its page answered last; None: never, as programs don't."""
        self._event = event
        self._lock = threading.Lock()
        self._unheard: Unheard = {}

    def tell(self, kind: str, content: object) -> None:
        """Let it hear a message."""
        with self._lock:
            self._unheard[kind] = content
        self._event.set()

    def note_life(self) -> None:
        """Its page answers."""
        is_first, self._answered_at = self._answered_at is None, time.monotonic()
        if is_first:
            self._event.set()  # it waits without an end

    def unheard(self) -> Unheard:
        """What there is to hear, once."""
        with self._lock:
            heard, self._unheard = self._unheard, {}
        return heard

    @property
    def patience(self) -> float | None:
        """For how many seconds its page may be silent still; None: for ever."""
        answered = self._answered_at
        return None if answered is None else max(0.0, answered + SILENCE_SECONDS - time.monotonic())

    @property
    def has_gone(self) -> bool:
        """Whether its page has answered once, and fallen silent."""
        return self.patience == 0


MESSAGES = EphemeralMessages()
"""This process's."""
