"""Template tags about people and signing in: `{% load accounts %}`."""

from datetime import UTC, datetime
from typing import Any

from allauth.mfa.models import Authenticator
from django import template
from django.forms import BoundField
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.presenters import browser_name
from kakomi.server.accounts.wording import FIELDS

register = template.Library()


@register.filter
def moment(seconds: float) -> datetime:
    """Convert seconds since the epoch to a datetime, for the filter `date`."""
    return datetime.fromtimestamp(seconds, UTC)


@register.simple_tag
def person(guest: Guest | None) -> SafeString:
    """Somebody's name, with a link to their page if they have an account, and a mark if they are a bot."""
    if guest is None or guest.is_erased:
        return format_html('<span class="person muted">{}</span>', gettext("deleted player"))
    name = guest.display_name or gettext("a guest")
    if guest.handle is None:
        return format_html('<span class="person">{}</span>', name)
    link = format_html('<a class="person" href="{}">{}</a>', reverse("person", args=[guest.handle]), name)
    return format_html("{} {}", link, bot_mark()) if guest.is_bot else link


@register.simple_tag
def bot_mark() -> SafeString:
    """The mark behind the name of a bot account."""
    return format_html('<span class="badge">{}</span>', gettext("bot"))


register.filter("browser_name", browser_name)


@register.filter
def second_steps(user: User) -> dict[str, bool]:
    """The second steps that a user has: `webauthn` (passkeys), `totp` (an app), `recovery_codes`."""
    return dict.fromkeys(Authenticator.objects.filter(user=user).values_list("type", flat=True), True)


@register.inclusion_tag("accounts/_field.html")
def sign_in_field(field: BoundField, *, label: str = "", is_optional: bool = False) -> dict[str, Any]:
    """A form field with its errors. Its label is the one in `FIELDS` unless another one is given."""
    look = FIELDS[field.name]
    return {"field": field, "look": look, "label": label or look.label, "is_optional": is_optional}
