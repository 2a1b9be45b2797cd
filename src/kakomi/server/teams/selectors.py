"""Queries for teams."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Count, QuerySet
from django.http import Http404

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.prefixes import fold
from kakomi.server.teams.models import BELONGING, Member, Team

SHOWN = 50
"""Teams on a page of the list."""


class Counted(NamedTuple):
    """A team, and how many belong to it."""

    row: Team
    members: int


class Part(NamedTuple):
    """A part of the list of teams, the last founded first."""

    teams: Sequence[Counted]
    older: int | None
    """The number of the team after which the list goes on; None at its end."""


def find_team(code: str) -> Team:
    """The team with a code. Raises Http404 if there is none."""
    row = Team.objects.select_related("founder").filter(code=code).first()
    if row is None:
        raise Http404(lazy_message("There is no such team. The link may not be complete."))
    return row


def listed_teams(query: str = "", game: str = "", before: int | None = None) -> Part:
    """Teams whose name has a text in it, for a game or for all; with `before` from that place on."""
    rows = Team.objects.filter(closed_at=None)
    if wanted := fold(query.replace("\0", "").strip()):
        rows = rows.filter(name_folded__contains=wanted)
    if wanted := game.replace("\0", ""):
        rows = rows.filter(game__in=(wanted, ""))
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows.order_by("-pk")[: SHOWN + 1])
    return Part(_counted(found[:SHOWN]), found[SHOWN - 1].pk if len(found) > SHOWN else None)


def teams_of(guest: Guest) -> "QuerySet[Team]":
    """The teams to which somebody belongs, by name."""
    own = Member.objects.filter(guest=guest, state__in=BELONGING)
    return Team.objects.filter(closed_at=None, pk__in=own.values("team")).order_by("name_folded")


def members_of(row: Team) -> "QuerySet[Member]":
    """Who belongs to a team, leaders first."""
    return row.members.filter(state__in=BELONGING).select_related("guest").order_by("-state", "since", "pk")


def member(row: Team, guest: Guest | None) -> Member | None:
    """What somebody is to a team; None for who is nothing to it."""
    return row.members.filter(guest=guest).first() if guest else None


def _counted(rows: Sequence[Team]) -> list[Counted]:
    belonging = Member.objects.filter(team__in=rows, state__in=BELONGING)
    counts = dict(belonging.order_by().values_list("team").annotate(Count("pk")))
    return [Counted(row, counts.get(row.pk, 0)) for row in rows]
