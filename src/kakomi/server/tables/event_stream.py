"""Events at a table, sent by the server: news, bots' progress, turns being put together."""

import contextlib
import secrets
from collections.abc import AsyncGenerator, Sequence, Set
from functools import partial
from http import HTTPStatus

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.boardview.fragments import parse_etags
from kakomi.server.database import outside_requests
from kakomi.server.realtime.ephemeral import MESSAGES, PRESENCE, STREAM, message_kind
from kakomi.server.realtime.sse import event, stream_response, topic_events
from kakomi.server.tables import models
from kakomi.server.tables.audience import AUDIENCE, OpenPage, Shown
from kakomi.server.tables.bot_progress import THINKING, BotProgress
from kakomi.server.whole_numbers import whole_number

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
