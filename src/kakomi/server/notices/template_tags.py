"""Template tags of notices: `{% load notices %}`."""

from typing import Any

from django import template
from django.http import HttpRequest

from kakomi.server.notices.services import count_unread

register = template.Library()


@register.inclusion_tag("notices/_bell.html", takes_context=True)
def bell(context: dict[str, Any]) -> dict[str, object]:
    """The bell with the number of unread notices; only for visitors with a guest."""
    request: HttpRequest | None = context.get("request")
    guest = getattr(request, "guest", None) or None
    match = request.resolver_match if request else None
    is_table = match is not None and match.url_name == "table"
    return {
        "is_known": guest is not None,
        "count": count_unread(guest),
        "path": request.path if request else "",
        "table": match.kwargs["code"] if match and is_table else "",
    }
