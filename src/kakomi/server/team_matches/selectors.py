"""Queries for team matches."""

from django.db.models import Q, QuerySet
from django.http import Http404

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.team_matches.models import Entry, TeamMatch
from kakomi.server.teams.models import BELONGING, Member, Team

SHOWN = 30
"""Matches on the page of a team, the last ones."""


def find_match(code: str) -> TeamMatch:
    """The match with a code. Raises Http404 if there is none."""
    row = TeamMatch.objects.select_related("home", "away").filter(code=code).first()
    if row is None:
        raise Http404(lazy_message("There is no such team match. The link may not be complete."))
    return row


def matches_of(team: Team) -> "QuerySet[TeamMatch]":
    """The matches of a team, the last one first."""
    found = TeamMatch.objects.filter(Q(home=team) | Q(away=team)).select_related("home", "away")
    return found.order_by("-pk")


def entry_of(row: TeamMatch, guest: Guest | None) -> Entry | None:
    """Somebody's entry; None if they have none."""
    return row.entries.filter(guest=guest).first() if guest else None


def sides_of(row: TeamMatch, guest: Guest | None, *, leading: bool = False) -> list[bool]:
    """The sides for which somebody may play, or which they lead: True is home."""
    if guest is None or guest.pk is None:
        return []
    states = (Member.State.LEADER,) if leading else BELONGING
    own = Member.objects.filter(guest=guest, state__in=states, team__in=(row.home_id, row.away_id))
    teams = set(own.values_list("team", flat=True))
    return [is_home for is_home in (True, False) if (row.home_id if is_home else row.away_id) in teams]


def led_by(guest: Guest | None, but: Team) -> "QuerySet[Team]":
    """The teams that somebody leads and that could challenge another one."""
    own = Member.objects.filter(guest=guest, state=Member.State.LEADER)
    teams = Team.objects.filter(pk__in=own.values("team"), closed_at=None).exclude(pk=but.pk)
    return teams.order_by("name_folded")
