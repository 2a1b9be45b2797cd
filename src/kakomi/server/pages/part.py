"""A template tag for what many pages have in common, word for word."""

from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

KEPT = 10_000
"""The parts used last; each has a kilobyte or less."""


@register.simple_tag
def part(template_name: str, **values: Hashable) -> SafeString:
    """A template that sees nothing but these values, filled in once for all that have the same.

    As most of a page stays as it was when somebody acts, it costs a fraction of an `include`.
    """
    return filled(template_name, get_language(), tuple(values.items()))


@lru_cache(maxsize=KEPT)
def filled(template_name: str, language: str | None, values: tuple[tuple[str, Hashable], ...]) -> SafeString:
    """A template with its values, in the language that is spoken."""
    del language
    return render_to_string(template_name, dict(values))
