"""Events at a table, and the pages that listen: news with missing fragments, bots' progress, unsent turns."""

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
from kakomi.server.boardview.fragments import Pieces, parse_etags
from kakomi.server.database import outside_requests
from kakomi.server.realtime.broker import Subscribers
from kakomi.server.realtime.ephemeral import MESSAGES, PRESENCE, STREAM, message_kind, process_message_kind
from kakomi.server.realtime.sse import event, stream_response, topic_events
from kakomi.server.tables import models, selectors
from kakomi.server.tables.fragments import fragments_of
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.presenters import TablePresenter, ViewContext
from kakomi.server.tables.seats import THINKING, BotProgress
from kakomi.server.whole_numbers import whole_number
from kakomi.session import Table

LONGEST = 60_000
"""Characters that are sent with news; a page that lacks more asks for it."""
LONGEST_STREAM = 40
"""Characters of a stream's name."""
MOST_KINDS = 50
"""Of one table's news so many renderings are made; who would see another asks."""
MOST_WAITING = 5
"""Of what is to be sent to a page whose connection is slow; then it asks again."""
_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="kakomi-news")
"""What goes out with the news is made in a thread of its own: no page that is asked for waits for it."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Shown:
    """What stands on a page, as far as this process knows."""

    etags: Mapping[str, str]
    news: int
    """The number of the latest news there."""
    game: int | None = None
    """The game of a match that it shows, 1 for the first; None: the one that is played."""
    context: ViewContext | None = None
    """None: as the request for its stream says."""


class Answer(msgspec.Struct, array_like=True):
    """What the page of a stream has been sent, as processes tell it each other."""

    stream: str
    guest: int | None
    etags: dict[str, str]
    news: int
    game: int | None
    is_past: bool
    """Whether it is an earlier moment of the game."""


class OpenPage:
    """A page that hears of a table."""

    def __init__(
        self, name: str, request: HttpRequest, guest: int | None, language: str, shown: Shown | None
    ) -> None:
        """`request` is the one for its stream, of that `name`; `guest` the number of who sent it."""
        self.name, self.request, self.guest, self.language = name, request, guest, language
        self.shown = shown
        """None if that isn't known, or is an earlier moment of the game."""
        self.waiting: deque[str] = deque()
        """What is to be sent, in this order, and is among what it shows already."""

    def lacks(self, news: int) -> bool:
        """Whether it is known what stands there, and that it is older than some news."""
        return self.shown is not None and self.shown.news < news


class _Latest(NamedTuple):
    """A table with its seats, and who of the listeners isn't sitting there, as they are now."""

    row: models.Table
    table: Table
    seats: tuple[models.Seat, ...]
    others: Mapping[int, Guest]

    def guest(self, number: int) -> Guest | None:
        sitting = (seat.guest for seat in self.seats if seat.guest_id == number)
        return next(sitting, None) or self.others.get(number)


class Audience:
    """The open pages of all tables, in this process."""

    def __init__(self) -> None:
        self._pages: Subscribers[OpenPage] = Subscribers()
        self._lock = threading.Lock()
        self._making: dict[str, asyncio.Future[None]] = {}

    def listening(self, code: str, page: OpenPage) -> AbstractContextManager[None]:
        """A context in which a page is one of a table's."""
        return self._pages.listening(code, page)

    def note(self, stream: str, shown: TablePresenter, context: ViewContext, pieces: Pieces) -> None:
        """Know what this process has sent to the page of a stream, whose process is told if it is another."""
        if not 0 < len(stream) <= LONGEST_STREAM:
            return
        who = shown.viewer.guest.pk if shown.viewer.guest else None
        row, game, is_past = shown.row, shown.steps.game, shown.past is not None
        answer = Answer(stream, who, dict(pieces.etags), row.news, game, is_past)
        if not self.note_answer(row.code, answer, context):
            MESSAGES.tell_processes(row.code, ANSWER, answer, about=who)

    def note_answer(self, code: str, answer: Answer, context: ViewContext | None = None) -> bool:
        """Know what a page has been sent; False if it is none of this process, or another viewer's.

        `context` is how the answer was made; None: as the last one of this process was.
        """
        for page in self._pages.at(code):
            if page.name == answer.stream and page.guest == answer.guest:
                with self._lock:
                    known = context or (page.shown.context if page.shown else None)
                    shown = Shown(answer.etags, answer.news, answer.game, known)
                    page.shown = None if answer.is_past else shown
                    page.waiting.clear()
                return True
        return False

    async def pieces(self, code: str, page: OpenPage, news: int) -> AsyncIterator[str]:
        """What a page lacks at some news of a table, as JSON; nothing if it has to ask for that."""
        if page.lacks(news) and not page.waiting:
            await self._make(code)
        while page.waiting:
            yield page.waiting.popleft()
            if page.lacks(news) and not page.waiting:  # that was made of what was before
                await self._make(code)

    async def _make(self, code: str) -> None:
        """Have made what the pages of a table lack, all at once."""
        try:
            await asyncio.shield(self._making.get(code) or self._begin(code))
        except Exception:
            _LOG.exception("the news of table %s could not be shown; pages ask for them", code)

    def _begin(self, code: str) -> "asyncio.Future[None]":
        loop, context = asyncio.get_running_loop(), contextvars.copy_context()
        making = self._making[code] = loop.run_in_executor(_THREAD, context.run, self._made, code)
        making.add_done_callback(lambda _: self._making.pop(code))
        return making

    @outside_requests
    def _made(self, code: str) -> None:
        """Have each page of a table sent what it lacks now; it is taken to have that from then on."""
        pages, row = self._pages.at(code), selectors.BY_CODE.first(code)
        if row is None:
            return
        latest, kinds = _latest(row, pages), _Kinds()
        for page in pages:
            shown = page.shown
            if shown is None or not page.lacks(row.news):
                continue
            with translation.override(shown.context.language if shown.context else page.language):
                found = kinds.of(page, shown, latest)
            with self._lock:
                if found is None or page.shown is not shown:
                    continue
                if len(page.waiting) < MOST_WAITING:
                    page.shown, text = found
                    page.waiting.append(text)
                else:  # nobody takes it in
                    page.shown = None
                    page.waiting.clear()


AUDIENCE = Audience()
"""This process's."""


ANSWER = process_message_kind("answer", Answer, AUDIENCE.note_answer)
"""A page has been answered by a process that its stream doesn't come from."""


class _Kinds:
    """What pages lack, made once for all that show the same to viewers who see the same."""

    def __init__(self) -> None:
        self._made: dict[Hashable, tuple[Shown, str]] = {}

    def of(self, page: OpenPage, shown: Shown, latest: _Latest) -> tuple[Shown, str] | None:
        """What a page is to have and what it lacks of it; None if it has to ask."""
        guest = None if page.guest is None else latest.guest(page.guest)
        if page.guest is not None and (guest is None or not is_still(page.request, guest)):
            return None
        viewer = Viewer(guest, latest.seats)
        if viewer.is_player and viewer.free:  # there are forms with a token of theirs
            return None
        context = shown.context or ViewContext.of(page.request, viewer, latest.row)
        # Whoever plays does so from one page, by a key that no other has.
        who = page if viewer.is_player else guest is not None and guest.confirms_turns
        kind = (who, context, shown.game, tuple(shown.etags.items()))
        if kind not in self._made and len(self._made) < MOST_KINDS:
            if (made := _lacking(viewer, context, shown, latest)) is None:
                return None
            self._made[kind] = made
        return self._made.get(kind)


def _lacking(viewer: Viewer, context: ViewContext, shown: Shown, latest: _Latest) -> tuple[Shown, str] | None:
    row = latest.row
    presenter = TablePresenter.of(row, latest.table, viewer, context.preferences, game=shown.game)
    if presenter.past:
        return None
    pieces = fragments_of(presenter, context).pieces(shown.etags)
    if len(pieces.html) > LONGEST:
        return None
    keeps = " ".join(f"{name}={etag}" for name, etag in pieces.keeps.items())
    data = {"news": row.news, "keeps": keeps, "html": pieces.html}
    return Shown(pieces.etags, row.news, shown.game, context), msgspec.json.encode(data).decode()


def _latest(row: models.Table, pages: Sequence[OpenPage]) -> _Latest:
    seats = tuple(selectors.seats_of(row))
    sitting = {seat.guest_id for seat in seats}
    others = {page.guest for page in pages if page.guest is not None} - sitting
    return _Latest(row, selectors.table_of(row), seats, Guest.objects.in_bulk(others) if others else {})


DRAFT = message_kind("draft", tuple[str, ...])
"""A guest has put an action to a turn of theirs, or taken one back; with it come the turn's actions."""
ASIDE = message_kind("aside", int)
"""What stands beside a guest's board has changed, on another page of theirs; with it comes its version."""


@require_safe
async def events(request: HttpRequest, code: str) -> StreamingHttpResponse:
    """An endless stream of the numbers of a table's latest news; whoever reconnects begins with it again.

    Between them `presence` says which seats' guests are there, and whether somebody watches, `thinking` how
    far a bot has come. The guest's own pages alone hear by `draft` what turn they have put together so far,
    and by `aside` that what stands beside their board has changed. `stream` is the name for signs of life.

    A page that says in `has` which fragments it has is sent the others with the news, by `shown`.
    """
    guest = await sync_to_async(guest_of)(request)
    who = guest.pk if guest else None
    page = _page(request, who)
    return stream_response(_heard(code, page) if page else _stream(code, who))


def _page(request: HttpRequest, guest: int | None) -> OpenPage | None:
    """The page that a request for a stream comes from; None for a program, which has none."""
    asked = request.GET
    if "has" not in asked:
        return None
    news, game = (whole_number(asked.get(name)) or 0 for name in ("news", "game"))
    shown = Shown(parse_etags(asked["has"]), news, game or None) if asked["has"] else None
    return OpenPage(secrets.token_urlsafe(9), request, guest, get_language() or settings.LANGUAGE_CODE, shown)


async def _heard(code: str, page: OpenPage) -> AsyncGenerator[str, None]:
    """The stream of a page, which is sent what it lacks."""
    with AUDIENCE.listening(code, page):
        async with contextlib.aclosing(_stream(code, page.guest, page)) as stream:
            async for text in stream:
                yield text


@require_POST
async def sign_of_life(request: HttpRequest, code: str) -> HttpResponse:
    """A page says that it is still there, by the name of its stream; one that no longer does has gone."""
    MESSAGES.note_life(code, request.POST.get("stream", "")[:40])
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


@outside_requests
def latest_news(codes: Sequence[str]) -> dict[str, int]:
    """The numbers of some tables' latest news, as the database has them."""
    if not codes:  # PostgreSQL knows no empty list
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_LATEST.format(", ".join(["%s"] * len(codes))), codes)
        return dict(cursor.fetchall())


_LATEST = "SELECT code, news FROM tables_table WHERE code IN ({})"
"""Asked for several times a second."""


def _stream(code: str, guest: int | None = None, page: OpenPage | None = None) -> AsyncGenerator[str, None]:
    async def latest() -> int | None:
        return await models.Table.objects.filter(code=code).values_list("news", flat=True).afirst()

    news = partial(_news, code, page)
    return topic_events(code, guest, news, latest, partial(_data, code), page.name if page else "")


async def _news(code: str, page: OpenPage | None, number: int) -> AsyncGenerator[str, None]:
    """What is said of some news: with what the page lacks, or else their number alone."""
    is_shown = False
    if page is not None:
        async for pieces in AUDIENCE.pieces(code, page, number):
            yield f"id: {number}\nevent: shown\ndata: {pieces}\n\n"
            is_shown = not page.lacks(number)
    if is_shown:
        return
    yield f"id: {number}\n{event('table', number)}"


async def _data(code: str, kind: str, content: object) -> object:
    """A message as data that JSON can hold."""
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
