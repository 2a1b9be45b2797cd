"""Boards as pictures of their own: small, cached, in the guest's colours, each with an ETag."""

import hashlib
from functools import lru_cache
from typing import cast, get_args

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from kakomi.core import Position
from kakomi.draw.theme import Theme
from kakomi.server.security.headers import DRAWING_POLICY


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
