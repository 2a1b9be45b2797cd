"""Template tags for links to the rules: `{% load rules %}`."""

from collections.abc import Mapping
from functools import cache

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from kakomi import catalog
from kakomi.core.guidance import CITATION
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.rules.prose import Heading, prose_of
from kakomi.server.rules.services import course_of

register = template.Library()


@register.simple_tag
def rule_link(game: str, rule: str) -> SafeString:
    """A link to a rule of a game, with its section's heading as text; empty if there is no such rule."""
    heading = _rules_of(game).get(rule)
    if heading is None:
        return mark_safe("")
    link = '<a class="rule-link" href="{}#rule-{}" data-rule="{}">{}</a>'
    return format_html(link, reverse("rules", args=[game]), rule, rule, heading.text)


@register.inclusion_tag("rules/_course_line.html", takes_context=True)
def course_line(context: Context, game: str) -> dict[str, object]:
    """A link to a game's course, with the guest's progress; empty for a game without one."""
    request = context.get("request")
    return {"course": course_of(guest_of(request) if request else None, game)}


@register.filter
def cited(text: str, game: str = "") -> SafeString:
    """A text with links in place of cited rule numbers. An empty `game` searches the rules of all games."""
    cut = CITATION.split(str(text))
    parts: list[str] = [conditional_escape(cut[0])]
    for rule, after in zip(cut[2::4], cut[4::4], strict=True):
        link = rule_link(game or _game_of(rule), rule)
        parts += [format_html("(→ {})", link) if link else "", conditional_escape(after)]
    return mark_safe("".join(parts))


@cache
def _game_of(rule: str) -> str:
    """The game that has a rule with this number; empty if none has."""
    return next((name for name in catalog.names() if rule in prose_of(name, "en").rules), "")


def _rules_of(game: str) -> Mapping[str, Heading]:
    return prose_of(game, get_language() or "en").rules if game in catalog.names() else {}
