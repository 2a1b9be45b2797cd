"""Template tags of the whole site: `{% load site %}`."""

from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from kakomi.server.boardview.board_look import look_of
from kakomi.server.language import translate

register = template.Library()

CACHED = 10_000
"""Renderings that are kept, those used last; each has a kilobyte or less."""


@register.filter
def board_look(request: HttpRequest | None) -> str:
    """The look of boards that the sender of a request has chosen, as words for style sheets."""
    return look_of(request).words if request else ""


@register.filter
def absolute(path: str, request: HttpRequest) -> str:
    """An address of the site with its scheme and host."""
    return request.build_absolute_uri(path)


@register.filter
def translated(text: str) -> str:
    """A text of a game, not of a template, in the viewer's language: summaries, options, colours."""
    return translate(text)


@register.simple_tag
def cached_include(template_name: str, **values: Hashable) -> SafeString:
    """A template that sees nothing but these values, rendered once for all that have the same.

    Most of a page stays as it was when somebody acts: this costs a fraction of an `include`.
    """
    return render_cached(template_name, get_language(), tuple(values.items()))


@register.simple_tag
def qr_code(text: str) -> SafeString:
    """A drawing that a telephone's camera reads as the text; dark on white, as cameras want it."""
    import segno  # few pages have one

    drawn = segno.make(text, error="m", micro=False)
    return mark_safe(drawn.svg_inline(scale=4, border=2, light="#fff", svgclass="qr-code", lineclass=None))


@lru_cache(maxsize=CACHED)
def render_cached(
    template_name: str, language: str | None, values: tuple[tuple[str, Hashable], ...]
) -> SafeString:
    """A template with its values, in the language that is spoken."""
    del language
    return render_to_string(template_name, dict(values))
