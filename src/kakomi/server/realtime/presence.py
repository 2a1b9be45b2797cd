"""Who is at which table in the other processes of the site."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

LAPSE_SECONDS = 15.0
"""For so long what a process said counts; it repeats it several times in between."""
MOST_TABLES = 20_000
"""No more are kept in mind, those that were not spoken of for longest left out first."""

Guests = frozenset[int | None]
"""None: somebody who has no number yet."""
NOBODY: Guests = frozenset()


class _Said(NamedTuple):
    guests: Guests
    at: float


class RemotePresence:
    """What other processes said last; for any thread."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._tables: OrderedDict[str, dict[str, _Said]] = OrderedDict()
        """Table -> process -> who is there."""

    def note(self, process: str, code: str, guests: Guests) -> None:
        """A process says who is at a table there; nobody, if the last has gone."""
        with self._lock:
            said = self._tables.pop(code, {})
            said.pop(process, None)
            if guests:
                said[process] = _Said(guests, self._now())
            if said:
                self._tables[code] = said
            while len(self._tables) > MOST_TABLES:
                self._tables.popitem(last=False)

    def at(self, code: str) -> Guests:
        """Who is at a table in any of them."""
        with self._lock:
            return NOBODY.union(*(said.guests for said in self._tables.get(code, {}).values()))

    def lapse(self) -> list[str]:
        """Forget what processes said that have fallen silent; the tables at which that changes something."""
        oldest = self._now() - LAPSE_SECONDS
        with self._lock:
            lapsed = [
                (code, process)
                for code, processes in self._tables.items()
                for process, said in processes.items()
                if said.at < oldest
            ]
            for code, process in lapsed:
                del self._tables[code][process]
                if not self._tables[code]:
                    del self._tables[code]
        return list({code: None for code, _ in lapsed})
