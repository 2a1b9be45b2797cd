"""Template tags about people: `{% load people %}`."""

from datetime import UTC, datetime

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from kakomi.server.accounts.models import Guest

register = template.Library()


@register.filter
def moment(seconds: float) -> datetime:
    """Seconds since the epoch as a moment, for the filter `date`."""
    return datetime.fromtimestamp(seconds, UTC)


@register.simple_tag
def person(guest: Guest | None) -> SafeString:
    """Somebody's name, leading to the page about them if they have an account. Bots have a mark behind it."""
    if guest is None or guest.is_erased:
        return format_html('<span class="person muted">{}</span>', gettext("deleted player"))
    name = guest.called or gettext("a guest")
    if guest.handle is None:
        return format_html('<span class="person">{}</span>', name)
    link = format_html('<a class="person" href="{}">{}</a>', reverse("person", args=[guest.handle]), name)
    return format_html("{} {}", link, bot_mark()) if guest.is_bot else link


@register.simple_tag
def bot_mark() -> SafeString:
    """The mark behind the name of a program."""
    return format_html('<span class="badge">{}</span>', gettext("bot"))
