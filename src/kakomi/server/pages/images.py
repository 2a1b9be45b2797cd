"""Pictures and styles that pages link, each with an ETag: what did not change is not sent again."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.draw.theme import page_stylesheet
from kakomi.server.pages.pictures import fingerprint, picture_of_game, picture_of_position, themed
from kakomi.server.tables import services
from kakomi.server.tables.views.detail import found

HOUR = 3600


@require_safe
def board_style(request: HttpRequest) -> HttpResponse:
    """The style of every board that stands in a page."""
    return _sent(request, page_stylesheet(), "text/css", f"public, max-age={HOUR}")


@require_safe
def game_picture(request: HttpRequest, game: str) -> HttpResponse:
    """A game in its middle; `theme` in the query may be light, dark or auto."""
    if game not in catalog.names():
        raise Http404(lazy_message("There is no such game."))
    drawn = picture_of_game(game, themed(request.GET.get("theme", "")))
    return _sent(request, drawn, "image/svg+xml", f"public, max-age={HOUR}")


@require_safe
def table_picture(request: HttpRequest, code: str) -> HttpResponse:
    """A table's board as it stands."""
    position = services.table_of(found(code)).match.position
    drawn = picture_of_position(position, themed(request.GET.get("theme", "")))
    return _sent(request, drawn, "image/svg+xml", "private, no-cache")


def _sent(request: HttpRequest, text: str, kind: str, caching: str) -> HttpResponse:
    etag = fingerprint(text)
    response = get_conditional_response(request, etag=etag) or HttpResponse(text, f"{kind}; charset=utf-8")
    response["ETag"] = etag
    response["Cache-Control"] = caching
    if kind.startswith("image/"):  # a picture brings its own style, and nothing else
        response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response
