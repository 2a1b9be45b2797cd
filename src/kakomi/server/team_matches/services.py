"""What people do with team matches. Each deed holds the lock of the match's row, and can be repeated."""

import secrets
from functools import partial

from django.db import transaction

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.locks import lock
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import is_kept_from
from kakomi.server.database import writing
from kakomi.server.moderation.restrictions import expect_free, kept_from_people, why_kept
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.ratings.selectors import is_suspended
from kakomi.server.team_matches import GO_ON, notices
from kakomi.server.team_matches.models import KEY_LENGTH, LONGEST_REASON, Entry, TeamMatch
from kakomi.server.team_matches.selectors import entry_of, sides_of
from kakomi.server.team_matches.terms import MatchTerms, terms_of
from kakomi.server.teams.models import Member, Team
from kakomi.server.teams.permissions import leads
from kakomi.session import Refused

MOST_GOING = 5
"""Matches of a team as challenger that are not over."""
MOST_ENTRIES = 100
"""Entries for one team."""
State = TeamMatch.State
_GOING = (State.PROPOSED, State.OPEN, State.RUNNING)
_NEVER_PLAYED = (State.DECLINED, State.CANCELLED)
_NOT_ACCEPTED = lazy_message("The other team has not accepted yet.")
_ENDED = lazy_message("This challenge has ended.")
_SEEDS = 2**53


def challenge(guest: Guest, home: Team, away: Team, wanted: MatchTerms, key: str) -> TeamMatch:
    """Challenge another team, as a leader; under the same key it is the same match. Raises Refused."""
    with writing():
        lock([guest.pk])
        if known := guest.team_challenges.filter(key=key[:KEY_LENGTH]).first():
            return known
        _expect_able(guest, home, away)
        now = clock.now()
        wanted.check(now)
        row = TeamMatch.objects.create(
            key=key[:KEY_LENGTH],
            challenger=guest,
            home=home,
            away=away,
            game=wanted.terms.game,
            terms=wanted.terms.to_json(),
            boards=wanted.boards,
            games=wanted.games,
            is_rated=wanted.is_rated,
            seed=secrets.randbelow(_SEEDS),
            created_at=now,
            begins_at=wanted.begins_at,
            due_at=wanted.begins_at,
        )
        notices.tell_leaders(row, away, notices.PROPOSED)
    return row


def _expect_able(guest: Guest, home: Team, away: Team) -> None:
    if not leads(home, guest) or not home.is_going:
        raise Refused(lazy_message("Only those who lead a team challenge another one."))
    if home.pk == away.pk or not away.is_going:
        raise Refused(lazy_message("Choose another team that has not been dissolved."))
    expect_free(guest)
    if home.home_matches.filter(state__in=_GOING).count() >= MOST_GOING:
        raise Refused(
            lazy_message("A team has {most} challenges that are not over: wait for one.", most=MOST_GOING)
        )
    leaders = away.members.filter(state=Member.State.LEADER).values_list("guest", flat=True)
    if is_kept_from(guest, leaders):  # which nobody is told
        raise Refused(lazy_message("You can’t challenge this team."))


def accept(row: TeamMatch, by: Guest) -> None:
    """Accept a challenge, as a leader of the other team; once. Raises Refused if it has ended."""
    with writing():
        row = _led(row, by, home=False)
        if row.state in _NEVER_PLAYED:
            raise Refused(_ENDED)
        if row.state == State.PROPOSED:
            row.state = State.OPEN
            row.save(update_fields=["state"])
            notices.tell_leaders(row, row.home, notices.ACCEPTED)


def decline(row: TeamMatch, by: Guest, reason: str) -> None:
    """Decline a challenge, as a leader of the other team; once. Raises Refused if accepted or over."""
    with writing():
        row = _led(row, by, home=False)
        if row.state == State.CANCELLED:
            raise Refused(_ENDED)
        if row.state not in (State.PROPOSED, State.DECLINED):
            raise Refused(
                lazy_message("The challenge has been accepted: call the match off before it begins.")
            )
        if row.state == State.PROPOSED:
            end(row, State.DECLINED, _checked(reason))
            notices.tell_leaders(row, row.home, notices.DECLINED)


def call_off(row: TeamMatch, by: Guest, reason: str) -> None:
    """Take a challenge back, or call a match off that has not begun, as a leader of a team; once."""
    with writing():
        row = locked(row)
        _expect_leader(row, by, home=True if row.state == State.PROPOSED else None)
        if row.state == State.RUNNING:
            raise Refused(lazy_message("The match has begun: it is played to its end."))
        if row.state == State.OVER:
            raise Refused(lazy_message("The match has ended."))
        if row.state == State.DECLINED:
            raise Refused(_ENDED)
        if row.state in _GOING:
            end(row, State.CANCELLED, _checked(reason))
            notices.tell_cancelled(row)


def enter(row: TeamMatch, guest: Guest, side: str = "") -> Entry:
    """Let a member play for their team; nothing happens to who does already. Raises Refused.

    `side` is `home` or `away`, for who belongs to both teams.
    """
    with writing():
        row = locked(row)
        if known := entry_of(row, guest):
            return known
        if why := why_not_enter(row, guest):
            raise Refused(why)
        sides = sides_of(row, guest)
        is_home = sides[0] if len(sides) == 1 else side != "away"
        return row.entries.create(guest=guest, is_home=is_home, at=clock.now())


def why_not_enter(row: TeamMatch, guest: Guest) -> str:
    """Why somebody can't play in a match, and what would help; empty if they can."""
    sides = sides_of(row, guest)
    if not sides:
        return lazy_message("Members of the two teams play here.")
    if row.state == State.PROPOSED:
        return _NOT_ACCEPTED
    if not row.is_open:
        return lazy_message("Nobody can enter any more.")
    if all(row.entries.filter(is_home=is_home).count() >= MOST_ENTRIES for is_home in sides):
        return lazy_message("As many have entered for your team as there may be.")
    if measure := kept_from_people([guest.pk]).get(guest.pk):
        return why_kept(measure)
    if row.is_rated and is_suspended(guest.pk, terms_of(row).pace):
        return lazy_message("After several time-outs in succession you begin no rated games for two weeks.")
    return ""


def leave(row: TeamMatch, guest: Guest) -> None:
    """Let somebody not play after all. Raises Refused once it has begun."""
    with writing():
        row = locked(row)
        if not row.is_open:
            raise Refused(lazy_message("The match has begun: whoever plays in it plays to the end."))
        row.entries.filter(guest=guest).delete()


def make_ready(row: TeamMatch, by: Guest) -> None:
    """Say for a team that it may begin, as its leader; once both have said so it does. It can be said again.

    Raises Refused before the other team has accepted, and once there will be no match.
    """
    with writing():
        row = _led(row, by, home=None)
        if row.state in (State.RUNNING, State.OVER):
            return
        if not row.is_open:
            raise Refused(_NOT_ACCEPTED if row.state == State.PROPOSED else _ENDED)
        for is_home in sides_of(row, by, leading=True):
            setattr(row, "home_is_ready" if is_home else "away_is_ready", True)
        if row.home_is_ready and row.away_is_ready:
            row.due_at = min(row.due_at or 0.0, clock.now())
            transaction.on_commit(partial(JOBS.wake, GO_ON))
        row.save(update_fields=["home_is_ready", "away_is_ready", "due_at"])


def end(row: TeamMatch, state: TeamMatch.State, reason: str = "") -> None:
    """End a locked match."""
    row.state, row.reason, row.due_at, row.ended_at = state, reason, None, clock.now()
    row.save(update_fields=["state", "reason", "due_at", "ended_at"])


def locked(row: TeamMatch) -> TeamMatch:
    """A match, locked inside a transaction."""
    return TeamMatch.objects.select_for_update().get(pk=row.pk)


def _led(row: TeamMatch, by: Guest, *, home: bool | None) -> TeamMatch:
    """A locked match for a leader of one of its teams, or of that one."""
    row = locked(row)
    _expect_leader(row, by, home=home)
    return row


def _expect_leader(row: TeamMatch, by: Guest, *, home: bool | None) -> None:
    sides = sides_of(row, by, leading=True)
    if not sides or (home is not None and home not in sides):
        raise Refused(lazy_message("Only those who lead the team do that."))


def _checked(reason: str) -> str:
    reason = "".join(letter for letter in " ".join(reason.split()) if letter.isprintable())
    if len(reason) > LONGEST_REASON:
        raise Refused(lazy_message("Write {most} characters at most.", most=LONGEST_REASON))
    return reason
