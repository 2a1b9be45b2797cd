"""What passes at a table and is told at once or never: who is there, how far a bot has come, a turn that is
being put together."""

import threading
from collections.abc import AsyncGenerator, Callable

from kakomi.server.realtime.event import ThreadEvent
from kakomi.server.realtime.presence import Guests, RemotePresence
from kakomi.server.realtime.subscribers import Subscribers

PRESENCE = "presence"
"""Somebody came or went; with it comes who is there."""
DRAFT = "draft"
"""A guest has put an action to a turn of theirs, or taken one back; with it come the turn's actions."""
Whisper = dict[str, object]
"""The latest of every kind that has not been heard yet."""
Carry = Callable[[str, str, object, int | None], None]
"""Takes a table's code, a kind, what is told, and for whose pages alone it is; called from any thread."""


class EphemeralMessages:
    """Told from any thread, heard by coroutines of this process. Of every kind only the latest counts."""

    def __init__(self) -> None:
        self._listeners: Subscribers[_Listener] = Subscribers()
        self._elsewhere = RemotePresence()
        self._carriers: list[Carry] = []

    def tell(self, code: str, kind: str, content: object, *, to: int | None = None) -> None:
        """Tell all who listen at a table, or one guest's pages alone, here and in other processes."""
        self.tell_here(code, kind, content, to=to)
        self._carry(code, kind, content, to)

    def tell_here(self, code: str, kind: str, content: object, *, to: int | None = None) -> None:
        """Tell those who listen in this process."""
        for listener in self._listeners.at(code):
            if to is None or listener.who == to:
                listener.tell(kind, content)

    async def heard(self, code: str, who: int | None) -> AsyncGenerator[Whisper, None]:
        """What is told at a table from now on. While `who` listens they are there."""
        listener = _Listener(who)
        try:
            with self._listeners.listening(code, listener):
                self._tell_presence(code)
                while True:
                    yield await listener.next()
        finally:
            self._tell_presence(code)

    def present(self, code: str) -> Guests:
        """Who listens at a table."""
        return self._here(code) | self._elsewhere.at(code)

    def note_elsewhere(self, process: str, code: str, guests: Guests) -> None:
        """Another process says who listens at a table there."""
        before = self._elsewhere.at(code)
        self._elsewhere.note(process, code, guests)
        if self._elsewhere.at(code) != before:
            self.tell_here(code, PRESENCE, self.present(code))

    def keep_up(self) -> None:
        """Say again who is here, and forget what other processes said that don't."""
        for code in self._listeners.codes():
            self._carry(code, PRESENCE, self._here(code))
        for code in self._elsewhere.lapse():
            self.tell_here(code, PRESENCE, self.present(code))

    def add_carrier(self, carry: Carry) -> None:
        """From now on hand over what is told here."""
        self._carriers.append(carry)

    def remove_carrier(self, carry: Carry) -> None:
        """Hand over nothing any more."""
        self._carriers.remove(carry)

    def _tell_presence(self, code: str) -> None:
        self.tell_here(code, PRESENCE, self.present(code))
        self._carry(code, PRESENCE, self._here(code))

    def _here(self, code: str) -> Guests:
        return frozenset(listener.who for listener in self._listeners.at(code))

    def _carry(self, code: str, kind: str, content: object, to: int | None = None) -> None:
        for carry in tuple(self._carriers):
            carry(code, kind, content, to)


class _Listener:
    def __init__(self, who: int | None) -> None:
        self.who = who
        self._bell = ThreadEvent()
        self._lock = threading.Lock()
        self._unheard: Whisper = {}

    def tell(self, kind: str, content: object) -> None:
        with self._lock:
            self._unheard[kind] = content
        self._bell.ring()

    async def next(self) -> Whisper:
        await self._bell.wait()
        with self._lock:
            heard, self._unheard = self._unheard, {}
        return heard


MESSAGES = EphemeralMessages()
"""This process's."""
