"""Presence at topics in the other processes of the site."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

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
