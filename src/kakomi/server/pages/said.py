"""A template filter for texts that come from a game and not from a template."""

from django import template

from kakomi.server.language import translate

register = template.Library()


@register.filter
def said(text: str) -> str:
    """The text in the viewer's language: summaries, options, colours."""
    return translate(text)
