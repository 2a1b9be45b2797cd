"""What people do with teams. Each deed holds the lock of the team's row, and can be repeated."""

from collections.abc import Callable

from django.db.models import Q

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.locks import lock
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import is_kept_from
from kakomi.server.database import writing
from kakomi.server.moderation.restrictions import expect_free, mute_of
from kakomi.server.teams import notices
from kakomi.server.teams.models import BELONGING, KEY_LENGTH, Member, Team
from kakomi.server.teams.permissions import leads
from kakomi.server.teams.terms import TeamTerms
from kakomi.session import Refused

MOST_LED = 3
"""Teams that somebody may lead at a time."""
MOST_TEAMS = 20
"""Teams in which somebody may be, or to which they may ask to belong."""
MOST_MEMBERS = 200
MOST_ASKING = 100
State = Member.State
_COUNTING = Q(team__closed_at=None) & ~Q(state=State.REMOVED)
"""Of somebody's rows, those that count for how many teams they may be in."""


def create(guest: Guest, wanted: TeamTerms, key: str) -> Team:
    """Found a team; under the same key it is the same one. Raises Refused."""
    if guest.handle is None or guest.is_bot:
        raise Refused(lazy_message("To found a team takes an account: sign up first."))
    with writing():
        lock([guest.pk])
        if known := guest.teams_founded.filter(key=key[:KEY_LENGTH]).first():
            return known
        _expect_writer(guest)
        wanted.check()
        wanted.expect_free_name()
        _expect_fewer_led(guest)
        _expect_fewer_teams(guest)
        now = clock.now()
        row = Team.objects.create(founder=guest, key=key[:KEY_LENGTH], created_at=now, **_fields(wanted))
        row.members.create(guest=guest, state=State.LEADER, since=now)
    return row


def edit(row: Team, by: Guest, wanted: TeamTerms) -> None:
    """Change what a team is called and says of itself, as a leader. Raises Refused."""
    with writing():
        row = _led(row, by)
        _expect_writer(by)
        wanted.check()
        wanted.expect_free_name(but=row)
        for name, value in _fields(wanted).items():
            setattr(row, name, value)
        row.save()


def join(row: Team, guest: Guest) -> Member:
    """Let somebody join, or ask to; nothing happens to who has. Raises Refused."""
    with writing():
        lock([guest.pk])  # their limit
        row = locked(row)
        known = row.members.filter(guest=guest).first()
        if known is not None and known.state != State.REMOVED:
            return known
        if why := why_not_join(row, guest):
            raise Refused(why)
        is_at_once = row.is_open and known is None
        member = known or Member(team=row, guest=guest)
        _become(member, State.IN if is_at_once else State.ASKING)
        if not is_at_once:
            notices.tell_request(row, member)
    return member


def why_not_join(row: Team, guest: Guest) -> str:
    """Why somebody can't join a team or ask to, and what would help; empty if they can."""
    if guest.handle is None or guest.is_bot:
        return lazy_message("Teams are for people with an account.")
    if not row.is_going:
        return lazy_message("This team was dissolved.")
    if guest.team_memberships.filter(_COUNTING).count() >= MOST_TEAMS:
        return _too_many_teams()
    if row.members.filter(state__in=BELONGING).count() >= MOST_MEMBERS:
        return lazy_message("This team is full.")
    if row.members.filter(state=State.ASKING).count() >= MOST_ASKING:
        return lazy_message("Many are asking to join this team: try again later.")
    leaders = row.members.filter(state=State.LEADER).values_list("guest", flat=True)
    if is_kept_from(guest, leaders):  # which nobody is told
        return lazy_message("You can’t join this team.")
    return ""


def leave(row: Team, guest: Guest) -> None:
    """Let somebody leave, or ask no more. Raises Refused for the last leader."""
    with writing():
        row = locked(row)
        known = row.members.filter(guest=guest).exclude(state=State.REMOVED).first()
        if known is None:
            return
        if known.state == State.LEADER and _leaders(row) < 2:
            raise Refused(lazy_message("You are the only leader: hand the team over first, or dissolve it."))
        notices.forget_request(known)
        known.delete()


def accept(row: Team, by: Guest, number: int) -> None:
    """Take somebody in who has asked, as a leader."""

    def take_in(row: Team, member: Member) -> None:
        if member.state != State.ASKING:
            return
        if row.members.filter(state__in=BELONGING).count() >= MOST_MEMBERS:
            raise Refused(lazy_message("This team is full."))
        _become(member, State.IN)
        notices.forget_request(member)
        notices.tell_news(row, member.guest_id, notices.ACCEPTED, member.since)

    _change(row, by, number, take_in)


def decline(row: Team, by: Guest, number: int) -> None:
    """Decline somebody who has asked, as a leader."""

    def turn_away(row: Team, member: Member) -> None:
        if member.state == State.ASKING:
            notices.forget_request(member)
            notices.tell_news(row, member.guest_id, notices.DECLINED, clock.now())
            member.delete()

    _change(row, by, number, turn_away)


def remove(row: Team, by: Guest, number: int) -> None:
    """Remove a member, as a leader: they can't join at once any more. Raises Refused for a leader."""

    def send_away(row: Team, member: Member) -> None:
        if member.state == State.LEADER:
            raise Refused(lazy_message("Leaders are not removed: they leave by themselves."))
        if member.state == State.IN:
            _become(member, State.REMOVED)
            notices.tell_news(row, member.guest_id, notices.REMOVED, member.since)

    _change(row, by, number, send_away)


def make_leader(row: Team, by: Guest, number: int) -> None:
    """Let a member lead the team as well, as a leader."""

    def promote(row: Team, member: Member) -> None:
        if member.state == State.IN:
            _expect_fewer_led(member.guest)
            _become(member, State.LEADER)
            notices.tell_news(row, member.guest_id, notices.LEADING, member.since)

    _change(row, by, number, promote)


def hand_over(row: Team, by: Guest, number: int) -> None:
    """Let a member lead the team instead of oneself."""
    with writing():
        make_leader(row, by, number)
        if row.members.filter(state=State.LEADER).exclude(guest=by).exists():
            _become(row.members.get(guest=by), State.IN)


def dissolve(row: Team, by: Guest) -> None:
    """Dissolve a team, as a leader; once."""
    with writing():
        row = locked(row)
        if row.is_going:
            _expect_leader(row, by)
            close(row, notices.DISSOLVED, but=by)


def close(row: Team, title: str, *, but: Guest | None = None) -> None:
    """End a locked team, and tell its members. Who asks or was removed is forgotten."""
    row.closed_at = clock.now()
    row.save(update_fields=["closed_at"])
    row.members.exclude(state__in=BELONGING).delete()
    told = row.members.exclude(guest=but) if but else row.members.all()
    for number in told.values_list("guest", flat=True):
        notices.tell_news(row, number, title, row.closed_at)


def locked(row: Team) -> Team:
    """A team, locked inside a transaction."""
    return Team.objects.select_for_update().get(pk=row.pk)


def lead_on(row: Team) -> None:
    """Let a locked team have a leader: who has belonged to it longest; without members it is closed."""
    if row.is_going and not _leaders(row):
        eldest = row.members.filter(state=State.IN).order_by("since", "pk").first()
        if eldest is None:
            close(row, notices.DISSOLVED)
        else:
            _become(eldest, State.LEADER)
            notices.tell_news(row, eldest.guest_id, notices.LEADING, eldest.since)


def _change(row: Team, by: Guest, number: int, do: Callable[[Team, Member], None]) -> None:
    """Do something with a member, by the number of their row, as a leader."""
    with writing():
        row = _led(row, by)
        member = row.members.select_related("guest").filter(pk=number).first()
        if member is not None:  # else they have left meanwhile
            do(row, member)


def _led(row: Team, by: Guest) -> Team:
    row = locked(row)
    _expect_leader(row, by)
    if not row.is_going:
        raise Refused(lazy_message("This team was dissolved."))
    return row


def _expect_leader(row: Team, by: Guest) -> None:
    if not leads(row, by):
        raise Refused(lazy_message("Only those who lead the team do that."))


def _expect_writer(guest: Guest) -> None:
    """Raise Refused for somebody who may write nothing for others for now, or begin no games."""
    expect_free(guest)
    if mute_of(guest):
        raise Refused(lazy_message("You may write no messages for now, nor names of teams."))


def _expect_fewer_led(guest: Guest) -> None:
    if guest.team_memberships.filter(state=State.LEADER, team__closed_at=None).count() >= MOST_LED:
        raise Refused(lazy_message("Nobody leads more than {most} teams.", most=MOST_LED))


def _expect_fewer_teams(guest: Guest) -> None:
    if guest.team_memberships.filter(_COUNTING).count() >= MOST_TEAMS:
        raise Refused(_too_many_teams())


def _too_many_teams() -> str:
    return lazy_message("Nobody is in more than {most} teams: leave one first.", most=MOST_TEAMS)


def _leaders(row: Team) -> int:
    return row.members.filter(state=State.LEADER).count()


def _become(member: Member, state: Member.State) -> None:
    member.state, member.since = state, clock.now()
    member.save()


def _fields(wanted: TeamTerms) -> dict[str, str | bool]:
    return {"name": wanted.name, "line": wanted.line, "game": wanted.game, "is_open": wanted.is_open}
