"""The seeks that everybody sees, read once a process whenever something has changed.

However many look on, a change costs one reading of the database and one rendering for each kind of viewer.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from asgiref.sync import sync_to_async

from kakomi.server.database import outside_requests
from kakomi.server.lobby import news, selectors
from kakomi.server.lobby.presenters import SeekCard

REMEMBERED = 1_000
"""Changes that are kept; who has missed more is sent the whole list."""


@dataclass(frozen=True)
class Filter:
    """Which seeks somebody looks at."""

    game: str = ""
    pace: str = ""

    def takes(self, card: SeekCard) -> bool:
        """Whether a seek is among them."""
        row = card.seek.row
        return self.game in ("", row.game) and self.pace in ("", row.pace)


@dataclass(frozen=True)
class Changes:
    """What is new since somebody looked last."""

    version: int
    is_all: bool
    put: tuple[SeekCard, ...] = ()
    """Cards that are new or different, the oldest first."""
    gone: tuple[str, ...] = ()
    said: dict[Hashable, str] = field(default_factory=dict)
    """What was said of them, for all to whom the same is said."""


@dataclass
class Feed:
    """The list as this process knows it. For any thread."""

    read: Callable[[], Iterable[SeekCard]] = lambda: map(SeekCard, selectors.waiting_seeks())
    latest: Callable[[], int] = news.latest
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _number: int = -1
    _version: int = 0
    _cards: Mapping[str, SeekCard] = field(default_factory=dict)
    _log: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    _latest_changes: tuple[tuple[int | None, int], Changes] | None = None
    """What was asked for last: all who look on ask for the same."""
    _reading: "asyncio.Future[None] | None" = None

    def cards(self) -> list[SeekCard]:
        """All of them as the database has them now, the newest first."""
        if (number := self.latest()) < self._number:  # an older database was put back
            self.forget()
        self.catch_up(number)
        return list(self._cards.values())

    def forget(self) -> None:
        """Read everything anew the next time."""
        with self._lock:
            self._number = -1

    def catch_up(self, number: int) -> None:
        """Know at least the news of a number."""
        with self._lock:
            if self._number >= number:
                return
            found_number = self.latest()
            self._note({card.code: card for card in self.read()})
            self._number = found_number

    async def reach(self, number: int) -> None:
        """The same for coroutines of one event loop: those who wait together have it read once."""
        while self._number < number:
            if self._reading is None or self._reading.done():
                catch_up = sync_to_async(outside_requests(self.catch_up), thread_sensitive=False)
                self._reading = asyncio.ensure_future(catch_up(number))
            await asyncio.shield(self._reading)

    def since(self, version: int | None) -> Changes:
        """The changes since a version; all there is for None, or for one too long ago."""
        if self._latest_changes and self._latest_changes[0] == (version, self._version):
            return self._latest_changes[1]
        changes = self._since(version)
        self._latest_changes = (version, changes.version), changes
        return changes

    def _since(self, version: int | None) -> Changes:
        now, cards, log = self._version, self._cards, list(self._log)
        if version is None or (now > version and (not log or log[0][0] > version + 1)):
            return Changes(now, True, tuple(reversed(list(cards.values()))))
        codes = dict.fromkeys(code for at, code in log if version < at <= now)
        put = tuple(cards[code] for code in codes if code in cards)
        return Changes(now, False, put, tuple(code for code in codes if code not in cards))

    def _note(self, found: Mapping[str, SeekCard]) -> None:
        before = self._cards
        kept = {
            code: before[code] if code in before and before[code].fingerprint == card.fingerprint else card
            for code, card in found.items()
        }
        changed = [code for code in reversed(kept) if before.get(code) is not kept[code]]
        gone = [code for code in before if code not in kept]
        version = self._version
        for code in (*gone, *changed):
            version += 1
            self._log.append((version, code))
        self._cards, self._version, self._latest_changes = kept, version, None


FEED = Feed()
"""This process's."""
