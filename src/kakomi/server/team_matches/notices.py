"""What people are told of team matches, each written with what it tells of. No text names anybody."""

from collections.abc import Iterable

from django.urls import reverse

from kakomi.core.i18n import lazy_message
from kakomi.server.notices.services import notify
from kakomi.server.tables.models import Table
from kakomi.server.team_matches.models import TeamMatch
from kakomi.server.teams.models import Member, Team

PROPOSED = lazy_message("Another team challenges a team that you lead.")
ACCEPTED = lazy_message("Your challenge to a team was accepted: members can enter.")
DECLINED = lazy_message("Your challenge to a team was declined.")
CANCELLED = lazy_message("A team match was called off.")
OVER = lazy_message("A team match in which you played is over.")


def tell_leaders(row: TeamMatch, team: Team, title: str) -> None:
    """The leaders of a team hear how a match stands."""
    _tell(row, team.members.filter(state=Member.State.LEADER).values_list("guest", flat=True), title)


def tell_cancelled(row: TeamMatch) -> None:
    """Who leads one of the teams, or would have played, hears that there is no match."""
    leaders = Member.objects.filter(team__in=(row.home_id, row.away_id), state=Member.State.LEADER)
    entered = row.entries.values_list("guest", flat=True)
    _tell(row, {*leaders.values_list("guest", flat=True), *entered}, CANCELLED)


def tell_over(row: TeamMatch) -> None:
    """Who played hears that the match is over."""
    played = row.board_games.filter(table__seats__guest__is_erased=False)
    _tell(row, set(played.values_list("table__seats__guest", flat=True)), OVER)


def tell_begun(row: TeamMatch, table: Table, guests: Iterable[int], number: int) -> None:
    """Two hear that their game has begun."""
    for guest in guests:
        notify(guest, "team_match_game", f"{row.code}.{number}", table=table)


def _tell(row: TeamMatch, guests: Iterable[int], title: str) -> None:
    data = {"title": str(title), "address": reverse("team_match", args=[row.code])}
    for guest in sorted(guests):
        notify(guest, "team_match", f"{row.code}.{row.state}", data)
