"""Template tags for every page: `{% load site %}`."""

from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from kakomi.core import Game
from kakomi.server.boards.board_look import look_of
from kakomi.server.site.language import translate

register = template.Library()

CACHED = 10_000
"""The number of cached renderings; each has a kilobyte or less."""


@register.filter
def board_look(request: HttpRequest | None) -> str:
    """The look of boards saved in a request's session, as words for style sheets."""
    return look_of(request).words if request else ""


@register.filter
def absolute(path: str, request: HttpRequest) -> str:
    """The absolute URL of a path."""
    return request.build_absolute_uri(path)


@register.filter
def translated(text: str) -> str:
    """Translate a game's text (summaries, options, colours) into the viewer's language."""
    return translate(text)


@register.simple_tag
def cached_include(template_name: str, **values: Hashable) -> SafeString:
    """Include a template that depends only on these values and the language, cached by them.

    Most of a page stays the same when somebody acts, so this takes a fraction of the time of `include`.
    """
    return render_cached(template_name, get_language(), tuple(values.items()))


@register.inclusion_tag("boards/_device.html")
def device(game: Game) -> dict[str, object]:
    """The addresses of the engine that searches in the visitor's browser; nothing for a game without one."""
    from kakomi.web.pages import program_digest  # with Numba, which a site needs only later

    return {"game": game, "digest": program_digest(game.name)}


@register.simple_tag
def qr_code(text: str) -> SafeString:
    """The QR code of a text as SVG, dark on white, as cameras require."""
    import segno  # few pages have one

    drawn = segno.make(text, error="m", micro=False)
    return mark_safe(drawn.svg_inline(scale=4, border=2, light="#fff", svgclass="qr-code", lineclass=None))


@lru_cache(maxsize=CACHED)
def render_cached(
    template_name: str, language: str | None, values: tuple[tuple[str, Hashable], ...]
) -> SafeString:
    """Render a template with some values, cached by these. The active language must be `language`."""
    del language
    return render_to_string(template_name, dict(values))
