"""What passes at a table and is kept nowhere: who is there, how far a bot has come."""

import threading
from collections.abc import AsyncGenerator, Hashable

from kakomi.server.live.bell import Bell
from kakomi.server.live.listeners import Listeners

PRESENCE = "presence"
"""Somebody came or went; with it comes who is there."""
Whisper = dict[str, object]
"""The latest of every kind that has not been heard yet."""


class Whispers:
    """Told from any thread, heard by coroutines of this process. Of every kind only the latest counts."""

    def __init__(self) -> None:
        self._listeners: Listeners[_Listener] = Listeners()

    def tell(self, code: str, kind: str, content: object) -> None:
        """Tell all who listen at a table."""
        for listener in self._listeners.at(code):
            listener.tell(kind, content)

    async def heard(self, code: str, who: Hashable) -> AsyncGenerator[Whisper, None]:
        """What is told at a table from now on. While `who` listens they are there."""
        listener = _Listener(who)
        try:
            with self._listeners.listening(code, listener):
                self.tell(code, PRESENCE, self.present(code))
                while True:
                    yield await listener.next()
        finally:
            self.tell(code, PRESENCE, self.present(code))

    def present(self, code: str) -> frozenset[Hashable]:
        """Who listens at a table."""
        return frozenset(listener.who for listener in self._listeners.at(code))


class _Listener:
    def __init__(self, who: Hashable) -> None:
        self.who = who
        self._bell = Bell()
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


WHISPERS = Whispers()
"""This process's."""
