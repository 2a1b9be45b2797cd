"""Sharing of boards at a table, in a study or by themselves: pictures, frames for other sites, link
previews."""

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
from kakomi.server.security.headers import DRAWING_POLICY, FRAMED_POLICY
from kakomi.server.site.exceptions import RenderUnavailable
from kakomi.server.site.language import why
from kakomi.server.site.rendering import RenderJob, shared_render_queue

LATER_SECONDS = 10
"""The seconds after which other sites load a board again while it may still change."""
LASTING = "public, max-age=86400"
"""The caching of pictures that can't change any more, unless an update of the site draws them differently."""
CHANGING = "private, no-cache"
MOST_KEPT = 128
"""The number of cached pictures, of about 50 kB each."""

_KEPT: LRUCache[str, bytes] = LRUCache(MOST_KEPT)


@dataclass(frozen=True)
class LinkPreview:
    """The preview that other programs show for a link (https://ogp.me)."""

    title: str
    description: str
    url: str
    image: str
    """The URL of a PNG; empty for none."""
    alt: str


@dataclass(frozen=True)
class Frame:
    """A board for an `<iframe>`: its picture, and below it a link to its page."""

    title: str
    caption: str
    picture: str
    link: str
    again: int | None = None
    """The seconds after which it is loaded again; None if it can't change."""


def board_alt(title: str) -> str:
    """The alternative text for a board's picture."""
    return gettext("A game of {title}").format(title=title)


def shared_with_all(response: HttpResponse) -> HttpResponse:
    """Allow other sites' pages to embed a response. It must not depend on the visitor."""
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def shared_svg(request: HttpRequest, position: Position, caching: str) -> HttpResponse:
    """The response with a position as SVG; `theme` in the query may be light, dark or auto."""
    drawn = picture_of_position(position, themed(request.GET.get("theme", "")))
    return shared_with_all(svg_response(request, drawn, caching))


async def shared_png(job: RenderJob, caching: str) -> HttpResponse:
    """The response with a picture as PNG, for programs without SVG support. 503 if rendering fails."""
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
    """The page for a frame, without scripts or cookies. Other sites may frame only such pages."""
    response = render(request, "boards/embed.html", {"frame": frame})
    response["Content-Security-Policy"] = FRAMED_POLICY
    return shared_with_all(unlisted(response))


def plain_refusal(error: Exception, status: int) -> HttpResponse:
    """A plain-text response with the message of an error."""
    return HttpResponse(f"{why(error)}\n", status=status, content_type="text/plain; charset=utf-8")


def unlisted(response: HttpResponse) -> HttpResponse:
    """Exclude a response from search engines, as its page is only for people with the link."""
    response["X-Robots-Tag"] = "noindex"
    return response


def themed(name: str) -> Theme:
    """A theme by name; `auto` for unknown names."""
    return cast(Theme, name) if name in get_args(Theme) else "auto"


@lru_cache(maxsize=256)
def picture_of_position(position: Position, theme: Theme) -> str:
    """A position as SVG for an `<img>` of any size: coordinates are at most 16 pixels (`draw/theme.py`)."""
    size = "font-size:15px"
    most = f"{size};font-size:clamp(5px,1em*tan(atan2(16px,100vmin)),15px)"
    return position.svg(theme=theme).replace(size, most)


def svg_response(request: HttpRequest, svg: str, caching: str) -> HttpResponse:
    """A response with an SVG picture, which may use only its own styles."""
    response = etag_response(request, svg, "image/svg+xml", caching)
    response["Content-Security-Policy"] = DRAWING_POLICY
    return response


def etag_response(request: HttpRequest, text: str, kind: str, caching: str) -> HttpResponse:
    """A response with an ETag; 304 for a client that has the text."""
    etag = f'"{hashlib.sha256(text.encode()).hexdigest()[:24]}"'
    response = get_conditional_response(request, etag=etag) or HttpResponse(text, f"{kind}; charset=utf-8")
    response["ETag"] = etag
    response["Cache-Control"] = caching
    return response
