"""A table seen from elsewhere: pictures of it, a board for other people's pages, what a link says of it."""

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from kakomi.server.labels import board_label
from kakomi.server.language import translate
from kakomi.server.rendering import RenderJob
from kakomi.server.sharing import (
    CHANGING,
    LASTING,
    LATER_SECONDS,
    Frame,
    LinkPreview,
    board_alt,
    shared_frame,
    shared_png,
    shared_svg,
)
from kakomi.server.tables import selectors, wording
from kakomi.server.tables.presenters import TablePresenter


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
    row = selectors.find_table(code)
    position = selectors.table_of(row).match.position
    return shared_svg(request, position, LASTING if row.is_over else CHANGING)


@require_safe
async def picture_png(request: HttpRequest, code: str) -> HttpResponse:
    """The same as PNG, for programs that show no SVG. 503 where it can't be made now."""
    del request
    return await shared_png(await sync_to_async(_render_job)(code), f"public, max-age={LATER_SECONDS}")


def _render_job(code: str) -> RenderJob:
    leg = selectors.table_of(selectors.find_table(code)).match.current_game
    actions = [leg.game.action_texts[action] for action in leg.actions()]
    return RenderJob("png", leg.game.name, dict(leg.game.options), [actions], position=leg.config.position)


@require_safe
def embed(request: HttpRequest, code: str) -> HttpResponse:
    """A board for an `<iframe>`, which follows the game until it is over."""
    row = selectors.find_table(code)
    table = selectors.table_of(row)
    title = translate(table.match.current_game.game.description.title)
    seats = " – ".join(wording.seat_label(seat) for seat in row.seats.all())
    picture = reverse("table_picture", args=[code])
    frame = Frame(
        title=title,
        caption=f"{title}: {seats}",
        picture=f"{picture}?theme=auto",
        link=reverse("table", args=[code]),
        again=None if table.is_over else LATER_SECONDS,
    )
    return shared_frame(request, frame)
