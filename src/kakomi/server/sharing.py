"""Boards seen from elsewhere, at a table, in a study or by themselves: pictures of them, frames for other
people's pages, what a link says."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import cast, get_args

from cachetools import LRUCache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext

from kakomi.core import Position
from kakomi.draw.theme import Theme
from kakomi.server.exceptions import RenderUnavailable
from kakomi.server.language import why
from kakomi.server.rendering import RenderJob, shared_render_queue
from kakomi.server.security.headers import DRAWING_POLICY, FRAMED_POLICY

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


def themed(name: str) -> Theme:
    """A theme by name; `auto` for unknown names."""
    return cast(Theme, name) if name in get_args(Theme) else "auto"


@lru_cache(maxsize=256)
def picture_of_position(position: Position, theme: Theme) -> str:
    """A position as SVG."""
    return position.svg(theme=theme)


def svg_response(request: HttpRequest, svg: str, caching: str) -> HttpResponse:
    """A picture: it brings its own style, and nothing else."""
    response = etag_response(request, svg, "image/svg+xml", caching)
    response["Content-Security-Policy"] = DRAWING_POLICY
    return response


def etag_response(request: HttpRequest, text: str, kind: str, caching: str) -> HttpResponse:
    """A response with an ETag, empty for a client that has the text."""
    etag = f'"{hashlib.sha256(text.encode()).hexdigest()[:24]}"'
    response = get_conditional_response(request, etag=etag) or HttpResponse(text, f"{kind}; charset=utf-8")
    response["ETag"] = etag
    response["Cache-Control"] = caching
    return response
