"""Boards as pictures of their own: small, cached, in the guest's colours, each with an ETag."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import cast, get_args

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext

from kakomi.core import Position
from kakomi.draw.theme import Theme


@dataclass(frozen=True)
class LinkPreview:
    """What other programs show of a link that is posted there: https://ogp.me."""

    title: str
    description: str
    url: str
    image: str
    """The address of a PNG."""
    alt: str


def board_alt(title: str) -> str:
    """What is in the picture of a board, by the game's title."""
    return gettext("The board of a game of {title}").format(title=title)


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
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response


def shared_with_all(response: HttpResponse) -> HttpResponse:
    """A response that pages of other sites may show; they learn no more than its address tells them."""
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def etag_response(request: HttpRequest, text: str, kind: str, caching: str) -> HttpResponse:
    """A response with an ETag, empty for a client that has the text."""
    etag = f'"{hashlib.sha256(text.encode()).hexdigest()[:24]}"'
    response = get_conditional_response(request, etag=etag) or HttpResponse(text, f"{kind}; charset=utf-8")
    response["ETag"] = etag
    response["Cache-Control"] = caching
    return response
