"""Template tags about teams: `{% load teams %}`."""

from django import template

from kakomi.server.accounts.models import Guest
from kakomi.server.teams import selectors
from kakomi.server.teams.models import Team

register = template.Library()


@register.simple_tag
def teams_of(guest: Guest) -> list[Team]:
    """The teams to which somebody belongs, by name."""
    return list(selectors.teams_of(guest))
