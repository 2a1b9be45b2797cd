"""Template tags of the pages for signing in: `{% load accounts %}`."""

from typing import Any

from allauth.mfa.models import Authenticator
from django import template
from django.forms import BoundField

from kakomi.server.accounts.models import User
from kakomi.server.accounts.presenters import browser_name
from kakomi.server.accounts.wording import FIELDS

register = template.Library()
register.filter("browser_name", browser_name)


@register.filter
def second_steps(user: User) -> dict[str, bool]:
    """What somebody has besides a password: `webauthn` (passkeys), `totp` (an app), `recovery_codes`."""
    return dict.fromkeys(Authenticator.objects.filter(user=user).values_list("type", flat=True), True)


@register.inclusion_tag("accounts/_field.html")
def sign_in_field(field: BoundField, *, label: str = "", is_optional: bool = False) -> dict[str, Any]:
    """A field of a form, with its mistakes; labelled as `FIELDS` says unless it has another label here."""
    look = FIELDS[field.name]
    return {"field": field, "look": look, "label": label or look.label, "is_optional": is_optional}
