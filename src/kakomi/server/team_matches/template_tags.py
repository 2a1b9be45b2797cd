"""Template tags about team matches: `{% load team_matches %}`."""

from django import template

from kakomi.server.accounts.models import Guest
from kakomi.server.team_matches import selectors
from kakomi.server.team_matches.presenters import Card
from kakomi.server.teams.models import Team

register = template.Library()


@register.simple_tag
def matches_of(team: Team) -> list[Card]:
    """The last matches of a team."""
    return [Card(row) for row in selectors.matches_of(team)[: selectors.SHOWN]]


@register.simple_tag
def may_challenge(viewer: Guest | None, team: Team) -> bool:
    """Whether a viewer leads a team that could challenge this one."""
    return bool(viewer) and team.is_going and selectors.led_by(viewer, team).exists()
