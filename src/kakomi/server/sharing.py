"""Boards seen from elsewhere, at a table, in a study or by themselves: pictures of them, frames for other
people's pages, what a link says."""

from dataclasses import dataclass
from http import HTTPStatus

from cachetools import LRUCache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from kakomi.core import Position
from kakomi.server.exceptions import RenderUnavailable
from kakomi.server.images import picture_of_position, svg_response, themed
from kakomi.server.language import why
from kakomi.server.rendering import RenderJob, shared_render_queue
from kakomi.server.security.headers import FRAMED_POLICY

LATER_SECONDS = 10
"""Seconds after which a board on another page is looked at again while it may still change."""
LASTING = "public, max-age=86400"
"""How long a picture of what can't change any more may be kept; an update of the site may draw it anew."""
CHANGING = "private, no-cache"
MOST_KEPT = 128
"""Pictures that are kept, of some 50 kB each."""

_KEPT: LRUCache[str, bytes] = LRUCache(MOST_KEPT)


@dataclass(frozen=True)
class LinkPreview:
    """What other programs show of a link that is posted there: https://ogp.me."""

    title: str
    description: str
    url: str
    image: str
    """The address of a PNG; empty for none."""
    alt: str


@dataclass(frozen=True)
class Frame:
    """A board for an `<iframe>`: its picture, and below it a link to the page that it is of."""

    title: str
    caption: str
    picture: str
    link: str
    again: int | None = None
    """Seconds after which it is fetched anew; None if it stays as it is."""


def board_alt(title: str) -> str:
    """What is in the picture of a board, by the game's title."""
    return gettext("The board of a game of {title}").format(title=title)


def shared_with_all(response: HttpResponse) -> HttpResponse:
    """A response that pages of other sites may show; they learn no more than its address tells them."""
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def shared_svg(request: HttpRequest, position: Position, caching: str) -> HttpResponse:
    """A position's picture; `theme` in the query may be light, dark or auto."""
    drawn = picture_of_position(position, themed(request.GET.get("theme", "")))
    return shared_with_all(svg_response(request, drawn, caching))


async def shared_png(job: RenderJob, caching: str) -> HttpResponse:
    """The same as PNG, for programs that show no SVG. 503 where it can't be made now."""
    key = repr(job)
    if key not in _KEPT:
        try:
            _KEPT[key] = await shared_render_queue().render(job)
        except RenderUnavailable as error:
            return plain_refusal(error, HTTPStatus.SERVICE_UNAVAILABLE)
    response = HttpResponse(_KEPT[key], content_type="image/png")
    response["Cache-Control"] = caching
    return shared_with_all(response)


def shared_frame(request: HttpRequest, frame: Frame) -> HttpResponse:
    """The page in the frame: no scripts and no cookies, and the one kind that others may frame."""
    response = render(request, "boardview/embed.html", {"frame": frame})
    response["Content-Security-Policy"] = FRAMED_POLICY
    return shared_with_all(unlisted(response))


def plain_refusal(error: Exception, status: int) -> HttpResponse:
    """Why there is no picture, in a line."""
    return HttpResponse(f"{why(error)}\n", status=status, content_type="text/plain; charset=utf-8")


def unlisted(response: HttpResponse) -> HttpResponse:
    """A page that belongs to those who have its link: search engines leave it out."""
    response["X-Robots-Tag"] = "noindex"
    return response
