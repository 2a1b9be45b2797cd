"""Event streams of tables for open pages: news with missing fragments, bots' progress, unsent turns."""

import asyncio
import contextlib
import contextvars
import logging
import secrets
import threading
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Hashable, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import NamedTuple

import msgspec
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import translation
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from kakomi.server.accounts.middleware import guest_of, is_still
from kakomi.server.accounts.models import Guest
from kakomi.server.boards.fragments import Pieces, parse_etags
from kakomi.server.realtime.broker import Subscribers
from kakomi.server.realtime.ephemeral import MESSAGES, PRESENCE, STREAM, message_kind, process_message_kind
from kakomi.server.realtime.sse import event, stream_response, topic_events
from kakomi.server.site.database import outside_requests
from kakomi.server.site.whole_numbers import whole_number
from kakomi.server.tables import models, selectors
from kakomi.server.tables.fragments import fragments_of
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.presenters import TablePresenter, ViewContext
from kakomi.server.tables.seats import THINKING, BotProgress
from kakomi.session import Table

LONGEST = 60_000
"""The most characters of HTML sent with news; a page that lacks more requests it."""
LONGEST_STREAM = 40
"""The most characters of a stream's name."""
MAX_RENDERINGS = 50
"""The most different renderings of one table's news; pages that need another one request it."""
MAX_WAITING = 5
"""The most unsent messages to a page whose connection is slow; after that it must request the news."""
_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="kakomi-news")
"""A separate thread renders the news, so that requests for pages don't wait for it."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class PageState:
    """What a page shows, as far as this process knows."""

    etags: Mapping[str, str]
    news: int
    """The number of the latest news shown."""
    game: int | None = None
    """The game of the match that is shown, 1 for the first; None for the current one."""
    context: ViewContext | None = None
    """None for the context of the request that opened the stream."""


class PageUpdate(msgspec.Struct, array_like=True):
    """A message between processes: what was sent to the page of a stream in response to its request."""

    stream: str
    guest: int | None
    etags: dict[str, str]
    news: int
    game: int | None
    is_past: bool
    """Whether the page shows an earlier moment of the game."""


class OpenPage:
    """An open page that is subscribed to a table's events."""

    def __init__(
        self, name: str, request: HttpRequest, guest: int | None, language: str, shown: PageState | None
    ) -> None:
        """`request` opened the page's stream, called `name`; `guest` is the primary key of its sender."""
        self.name, self.request, self.guest, self.language = name, request, guest, language
        self.shown = shown
        """None if this isn't known, or if the page shows an earlier moment of the game."""
        self.waiting: deque[str] = deque()
        """Messages to be sent, in order; `shown` already includes them."""

    def lacks(self, news: int) -> bool:
        """Whether the page is known to show a version older than some news."""
        return self.shown is not None and self.shown.news < news


class _Latest(NamedTuple):
    """The current state of a table, its seats, and its subscribers who don't sit there, by primary key."""

    row: models.Table
    table: Table
    seats: tuple[models.Seat, ...]
    others: Mapping[int, Guest]

    def guest(self, number: int) -> Guest | None:
        sitting = (seat.guest for seat in self.seats if seat.guest_id == number)
        return next(sitting, None) or self.others.get(number)


class Audience:
    """The open pages of all tables in this process."""

    def __init__(self) -> None:
        self._pages: Subscribers[OpenPage] = Subscribers()
        self._lock = threading.Lock()
        self._renderings: dict[str, asyncio.Future[None]] = {}

    def listening(self, code: str, page: OpenPage) -> AbstractContextManager[None]:
        """Return a context in which a page is subscribed to a table."""
        return self._pages.listening(code, page)

    def record(self, stream: str, shown: TablePresenter, context: ViewContext, pieces: Pieces) -> None:
        """Record what this process has sent to a stream's page, or tell the process that has the stream."""
        if not 0 < len(stream) <= LONGEST_STREAM:
            return
        who = shown.viewer.guest.pk if shown.viewer.guest else None
        row, game, is_past = shown.row, shown.steps.game, shown.past is not None
        update = PageUpdate(stream, who, dict(pieces.etags), row.news, game, is_past)
        if not self.record_update(row.code, update, context):
            MESSAGES.tell_processes(row.code, PAGE_UPDATE, update, about=who)

    def record_update(self, code: str, update: PageUpdate, context: ViewContext | None = None) -> bool:
        """Record what a page has been sent. Returns False if this process has no such page of this guest.

        `context` is the one with which the update was rendered; None for the page's last known one.
        """
        for page in self._pages.at(code):
            if page.name == update.stream and page.guest == update.guest:
                with self._lock:
                    known = context or (page.shown.context if page.shown else None)
                    shown = PageState(update.etags, update.news, update.game, known)
                    page.shown = None if update.is_past else shown
                    page.waiting.clear()
                return True
        return False

    async def pieces(self, code: str, page: OpenPage, news: int) -> AsyncIterator[str]:
        """Yield what a page lacks at some news of a table, as JSON; nothing if the page has to request it."""
        if page.lacks(news) and not page.waiting:
            await self._render(code)
        while page.waiting:
            yield page.waiting.popleft()
            if page.lacks(news) and not page.waiting:  # the message was rendered before this news
                await self._render(code)

    async def _render(self, code: str) -> None:
        """Render what all pages of a table lack, or wait for a rendering in progress."""
        try:
            await asyncio.shield(self._renderings.get(code) or self._start_rendering(code))
        except Exception:
            _LOG.exception("the news of table %s could not be shown; pages ask for them", code)

    def _start_rendering(self, code: str) -> "asyncio.Future[None]":
        loop, context = asyncio.get_running_loop(), contextvars.copy_context()
        rendering = loop.run_in_executor(_THREAD, context.run, self._queue_updates, code)
        self._renderings[code] = rendering
        rendering.add_done_callback(lambda _: self._renderings.pop(code))
        return rendering

    @outside_requests
    def _queue_updates(self, code: str) -> None:
        """Queue for each page of a table what it lacks; from then on it counts as shown."""
        pages, row = self._pages.at(code), selectors.BY_CODE.first(code)
        if row is None:
            return
        latest, cache = _latest(row, pages), RenderingCache()
        for page in pages:
            shown = page.shown
            if shown is None or not page.lacks(row.news):
                continue
            with translation.override(shown.context.language if shown.context else page.language):
                found = cache.of(page, shown, latest)
            with self._lock:
                if found is None or page.shown is not shown:
                    continue
                if len(page.waiting) < MAX_WAITING:
                    page.shown, text = found
                    page.waiting.append(text)
                else:  # the page isn't receiving
                    page.shown = None
                    page.waiting.clear()


AUDIENCE = Audience()
"""The audience of this process."""


PAGE_UPDATE = process_message_kind("answer", PageUpdate, AUDIENCE.record_update)
"""The message kind by which a process that answered a page tells the process that has its stream."""


class RenderingCache:
    """Renderings of what pages lack, each made once for all pages with the same content and equal viewers."""

    def __init__(self) -> None:
        self._cached: dict[Hashable, tuple[PageState, str]] = {}

    def of(self, page: OpenPage, shown: PageState, latest: _Latest) -> tuple[PageState, str] | None:
        """What a page will show, and what it lacks of that as JSON; None if it has to request it."""
        guest = None if page.guest is None else latest.guest(page.guest)
        if page.guest is not None and (guest is None or not is_still(page.request, guest)):
            return None
        viewer = Viewer(guest, latest.seats)
        if viewer.is_player and viewer.free:  # the page has forms with a CSRF token
            return None
        context = shown.context or ViewContext.of(page.request, viewer, latest.row)
        # A player's page has its own command key, so it can't share a rendering.
        who = page if viewer.is_player else guest is not None and guest.confirms_turns
        key = (who, context, shown.game, tuple(shown.etags.items()))
        if key not in self._cached and len(self._cached) < MAX_RENDERINGS:
            if (made := _lacking(viewer, context, shown, latest)) is None:
                return None
            self._cached[key] = made
        return self._cached.get(key)


def _lacking(
    viewer: Viewer, context: ViewContext, shown: PageState, latest: _Latest
) -> tuple[PageState, str] | None:
    row = latest.row
    presenter = TablePresenter.of(row, latest.table, viewer, context.preferences, game=shown.game)
    if presenter.past:
        return None
    pieces = fragments_of(presenter, context).pieces(shown.etags)
    if len(pieces.html) > LONGEST:
        return None
    keeps = " ".join(f"{name}={etag}" for name, etag in pieces.keeps.items())
    data = {"news": row.news, "keeps": keeps, "html": pieces.html}
    return PageState(pieces.etags, row.news, shown.game, context), msgspec.json.encode(data).decode()


def _latest(row: models.Table, pages: Sequence[OpenPage]) -> _Latest:
    seats = tuple(selectors.seats_of(row))
    sitting = {seat.guest_id for seat in seats}
    others = {page.guest for page in pages if page.guest is not None} - sitting
    return _Latest(row, selectors.table_of(row), seats, Guest.objects.in_bulk(others) if others else {})


DRAFT = message_kind("draft", tuple[str, ...])
"""A guest has added an action to their turn, or taken one back; the content is the turn's actions."""
ASIDE = message_kind("aside", int)
"""A guest has changed a panel beside the board on another page; the content is its version."""


@require_safe
async def events(request: HttpRequest, code: str) -> StreamingHttpResponse:
    """An endless stream of the numbers of a table's latest news, beginning with the current one.

    Other events are `presence`, which seats' guests are online and whether anybody watches, and `thinking`, a
    bot's progress. Only the guest's own pages get `draft`, their unsent turn, and `aside`, a change beside
    their board. `stream` is the stream's name, for signs of life.

    A page that lists its fragments in the query parameter `has` is sent the others with the news, as `shown`.
    """
    guest = await sync_to_async(guest_of)(request)
    who = guest.pk if guest else None
    page = _page(request, who)
    return stream_response(_page_stream(code, page) if page else _stream(code, who))


def _page(request: HttpRequest, guest: int | None) -> OpenPage | None:
    """The page that requests a stream; None for a program."""
    asked = request.GET
    if "has" not in asked:
        return None
    news, game = (whole_number(asked.get(name)) or 0 for name in ("news", "game"))
    shown = PageState(parse_etags(asked["has"]), news, game or None) if asked["has"] else None
    return OpenPage(secrets.token_urlsafe(9), request, guest, get_language() or settings.LANGUAGE_CODE, shown)


async def _page_stream(code: str, page: OpenPage) -> AsyncGenerator[str, None]:
    """The stream of a page that is sent the fragments it lacks."""
    with AUDIENCE.listening(code, page):
        async with contextlib.aclosing(_stream(code, page.guest, page)) as stream:
            async for text in stream:
                yield text


@require_POST
async def sign_of_life(request: HttpRequest, code: str) -> HttpResponse:
    """Note that the page of a stream is still open. A page that stops reporting counts as closed."""
    MESSAGES.note_life(code, request.POST.get("stream", "")[:LONGEST_STREAM])
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


@outside_requests
def latest_news(codes: Sequence[str]) -> dict[str, int]:
    """The numbers of some tables' latest news in the database, by code."""
    if not codes:  # `IN ()` is invalid in PostgreSQL
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_LATEST.format(", ".join(["%s"] * len(codes))), codes)
        return dict(cursor.fetchall())


_LATEST = "SELECT code, news FROM tables_table WHERE code IN ({})"
"""Raw SQL, as it runs several times a second."""


def _stream(code: str, guest: int | None = None, page: OpenPage | None = None) -> AsyncGenerator[str, None]:
    async def latest() -> int | None:
        return await models.Table.objects.filter(code=code).values_list("news", flat=True).afirst()

    news = partial(_news, code, page)
    return topic_events(code, guest, news, latest, partial(_data, code), page.name if page else "")


async def _news(code: str, page: OpenPage | None, number: int) -> AsyncGenerator[str, None]:
    """The events for some news: what the page lacks, or else only their number."""
    is_shown = False
    if page is not None:
        async for pieces in AUDIENCE.pieces(code, page, number):
            yield f"id: {number}\nevent: shown\ndata: {pieces}\n\n"
            is_shown = not page.lacks(number)
    if is_shown:
        return
    yield f"id: {number}\n{event('table', number)}"


async def _data(code: str, kind: str, content: object) -> object:
    """A message's content as JSON-compatible data."""
    if kind == PRESENCE and isinstance(content, Set):
        return await _present(code, content)
    if kind == THINKING and isinstance(content, BotProgress):
        return content.to_json()
    if kind == STREAM and isinstance(content, str):
        return content
    if kind == DRAFT and isinstance(content, Sequence):
        return {"seen": " ".join(content)}
    if kind == ASIDE and isinstance(content, int):
        return content
    raise ValueError(f"nobody tells {content!r} as {kind!r}")


async def _present(code: str, guests: Set[object]) -> dict[str, object]:
    seats = models.Seat.objects.filter(table__code=code, guest__isnull=False)
    owners = [pair async for pair in seats.values_list("number", "guest_id")]
    return {
        "seats": [number for number, guest in owners if guest in guests],
        "others": bool(guests - {guest for _, guest in owners}),
    }
