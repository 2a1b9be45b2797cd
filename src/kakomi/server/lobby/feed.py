"""Changes of the lobby: a number that counts them all, one per guest, and the seeks changed since a number.

The topic for everybody is `lobby`, a guest's is `lobby-NUMBER`.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from asgiref.sync import sync_to_async
from django.db.models import F

from kakomi.server.lobby import selectors
from kakomi.server.lobby.models import LobbyGuest, LobbyNews
from kakomi.server.lobby.presenters import SeekCard
from kakomi.server.realtime import announce
from kakomi.server.site.database import outside_requests

LOBBY = "lobby"
_ROW = 1


def topic_of(guest: int) -> str:
    """The topic of a guest's own news."""
    return f"{LOBBY}-{guest}"


def guest_of_topic(code: str) -> int | None:
    """The guest whose topic this is, or None for any other topic."""
    name, _, number = code.partition("-")
    return int(number) if name == LOBBY and number.isdecimal() else None


def announce_change(people: Iterable[int]) -> None:
    """Announce that seeks of these people have changed. Call at the end of the transaction that holds their
    locks.

    The counter's row is locked last and until the commit, so that numbers become visible in order.
    """
    concerned = sorted(set(people))
    number = _count()
    LobbyGuest.objects.bulk_create(
        [LobbyGuest(guest_id=guest, news=number) for guest in concerned],
        update_conflicts=True,
        unique_fields=["guest"],
        update_fields=["news"],
    )
    announce(LOBBY, number)
    for guest in concerned:
        announce(topic_of(guest), number)


def _count() -> int:
    rows = LobbyNews.objects.filter(pk=_ROW)
    if not rows.update(news=F("news") + 1):
        LobbyNews.objects.bulk_create([LobbyNews(pk=_ROW)], ignore_conflicts=True)
        rows.update(news=F("news") + 1)
    return rows.values_list("news", flat=True).get()


@outside_requests
def latest_news(codes: Sequence[str]) -> dict[str, int]:
    """The latest news numbers of some topics from the database; other apps' topics are left out."""
    found: dict[str, int] = {}
    if LOBBY in codes:
        found[LOBBY] = latest_number()
    guests = [guest for code in codes if (guest := guest_of_topic(code)) is not None]
    if guests:
        rows = LobbyGuest.objects.filter(pk__in=guests).values_list("pk", "news")
        found |= {topic_of(guest): news for guest, news in rows}
    return found


def latest_number() -> int:
    """The number of the lobby's latest news."""
    return LobbyNews.objects.filter(pk=_ROW).values_list("news", flat=True).first() or 0


REMEMBERED = 1_000
"""The number of changes kept. A page that has missed more is sent the whole list."""


@dataclass(frozen=True)
class Filter:
    """The game and pace to list; an empty string matches all."""

    game: str = ""
    pace: str = ""

    def takes(self, card: SeekCard) -> bool:
        """Whether a seek passes the filter."""
        row = card.seek.row
        return self.game in ("", row.game) and self.pace in ("", row.pace)


@dataclass(frozen=True)
class Changes:
    """The changes to the list since a version."""

    version: int
    is_all: bool
    put: tuple[SeekCard, ...] = ()
    """New or changed cards, the oldest first."""
    gone: tuple[str, ...] = ()
    rendered: dict[Hashable, str] = field(default_factory=dict)
    """A cache of the rendered events, by kind of viewer."""


@dataclass
class Feed:
    """This process's copy of the list. Thread-safe."""

    read: Callable[[], Iterable[SeekCard]] = lambda: map(SeekCard, selectors.waiting_seeks())
    latest: Callable[[], int] = latest_number
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _number: int = -1
    _version: int = 0
    _cards: Mapping[str, SeekCard] = field(default_factory=dict)
    _log: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    _latest_changes: tuple[tuple[int | None, int], Changes] | None = None
    """The latest result of `since` with its arguments: most viewers request the same changes."""
    _reading: "asyncio.Future[None] | None" = None

    def cards(self) -> list[SeekCard]:
        """All seeks as the database has them now, the newest first."""
        if (number := self.latest()) < self._number:  # an older database was restored
            self.reset()
        self.catch_up(number)
        return list(self._cards.values())

    def reset(self) -> None:
        """Read everything again the next time."""
        with self._lock:
            self._number = -1

    def catch_up(self, number: int) -> None:
        """Read the list unless it already includes the news with this number."""
        with self._lock:
            if self._number >= number:
                return
            found_number = self.latest()
            self._replace({card.code: card for card in self.read()})
            self._number = found_number

    async def reach(self, number: int) -> None:
        """The async form of `catch_up`: concurrent waiters of one event loop share a single read."""
        while self._number < number:
            if self._reading is None or self._reading.done():
                catch_up = sync_to_async(outside_requests(self.catch_up), thread_sensitive=False)
                self._reading = asyncio.ensure_future(catch_up(number))
            await asyncio.shield(self._reading)

    def since(self, version: int | None) -> Changes:
        """The changes since a version; the whole list for None or a version that is too old."""
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

    def _replace(self, found: Mapping[str, SeekCard]) -> None:
        before = self._cards
        cards = {
            code: before[code] if code in before and before[code].fingerprint == card.fingerprint else card
            for code, card in found.items()
        }
        changed = [code for code in reversed(cards) if before.get(code) is not cards[code]]
        gone = [code for code in before if code not in cards]
        version = self._version
        for code in (*gone, *changed):
            version += 1
            self._log.append((version, code))
        self._cards, self._version, self._latest_changes = cards, version, None


FEED = Feed()
"""This process's feed."""
