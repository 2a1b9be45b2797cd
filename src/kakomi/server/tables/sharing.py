"""A table seen from elsewhere: pictures of it, a board for other people's pages, what a link says of it."""

from http import HTTPStatus

from asgiref.sync import sync_to_async
from cachetools import LRUCache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from kakomi.server.exceptions import RenderUnavailable
from kakomi.server.images import (
    LinkPreview,
    board_alt,
    picture_of_position,
    shared_with_all,
    svg_response,
    themed,
)
from kakomi.server.labels import board_label
from kakomi.server.language import translate, why
from kakomi.server.rendering import RenderJob, shared_render_queue
from kakomi.server.security.headers import FRAMED_POLICY
from kakomi.server.tables import selectors, wording
from kakomi.server.tables.presenters import TablePresenter

MOST_KEPT = 128
"""Pictures that are kept, of some 50 kB each."""
LATER_SECONDS = 10
"""Seconds after which a board on another page is looked at again while its game goes on."""

_KEPT: LRUCache[str, bytes] = LRUCache(MOST_KEPT)


def link_preview(request: HttpRequest, shown: TablePresenter) -> LinkPreview:
    """A table's, as anybody may see it."""
    game, code = shown.leg.game, shown.row.code
    title = translate(game.description.title)
    names = " – ".join(wording.seat_label(place.seat) for place in shown.seats)
    summary = translate(game.description.summary)
    return LinkPreview(
        title=f"{title}: {names}",
        description=f"{board_label(game)} · {shown.headline if shown.is_over else summary}",
        url=request.build_absolute_uri(reverse("table", args=[code])),
        image=request.build_absolute_uri(reverse("table_png", args=[code])),
        alt=board_alt(title),
    )


@require_safe
def picture_svg(request: HttpRequest, code: str) -> HttpResponse:
    """A table's board as it stands; `theme` in the query may be light, dark or auto."""
    position = selectors.table_of(selectors.find_table(code)).match.position
    drawn = picture_of_position(position, themed(request.GET.get("theme", "")))
    return shared_with_all(svg_response(request, drawn, "private, no-cache"))


@require_safe
async def picture_png(request: HttpRequest, code: str) -> HttpResponse:
    """The same as PNG, for programs that show no SVG. 503 where it can't be made now."""
    del request
    job = await sync_to_async(_render_job)(code)
    key = repr(job)
    if key not in _KEPT:
        try:
            _KEPT[key] = await shared_render_queue().render(job)
        except RenderUnavailable as error:
            status = HTTPStatus.SERVICE_UNAVAILABLE
            return HttpResponse(f"{why(error)}\n", status=status, content_type="text/plain; charset=utf-8")
    response = HttpResponse(_KEPT[key], content_type="image/png")
    response["Cache-Control"] = f"public, max-age={LATER_SECONDS}"
    return shared_with_all(response)


def _render_job(code: str) -> RenderJob:
    leg = selectors.table_of(selectors.find_table(code)).match.current_game
    actions = [leg.game.action_texts[action] for action in leg.actions()]
    return RenderJob("png", leg.game.name, dict(leg.game.options), [actions], position=leg.config.position)


@require_safe
def embed(request: HttpRequest, code: str) -> HttpResponse:
    """A board for an `<iframe>`: no scripts and no cookies, and the one page that others may frame."""
    row = selectors.find_table(code)
    table = selectors.table_of(row)
    game = table.match.current_game.game
    context = {
        "row": row,
        "title": translate(game.description.title),
        "seats": " – ".join(wording.seat_label(seat) for seat in row.seats.all()),
        "again": None if table.is_over else LATER_SECONDS,
    }
    response = render(request, "tables/embed.html", context)
    response["Content-Security-Policy"] = FRAMED_POLICY
    return shared_with_all(response)
