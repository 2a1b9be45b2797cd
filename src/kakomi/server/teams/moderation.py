"""What staff do with teams: take a name away, close one. Each deed is in the log of moderation."""

from kakomi.server import clock
from kakomi.server.accounts.models import Guest, User
from kakomi.server.database import writing
from kakomi.server.moderation.audit_log import note, was_done
from kakomi.server.moderation.permissions import expect_other
from kakomi.server.teams import notices, services
from kakomi.server.teams.erasure import unname
from kakomi.server.teams.models import Member, Team


def take_name(row: Team, by: User, reason: str, key: str) -> None:
    """Call a team by its code, and clear what it says of itself; once. Raises Refused for one's own."""
    _decide(row, by, "team renamed", reason, key)


def close(row: Team, by: User, reason: str, key: str) -> None:
    """Close a team, and take its name away; once. Raises Refused for one's own."""
    _decide(row, by, "team closed", reason, key)


def responsible_for(row: Team) -> Guest:
    """Who answers for what a team is called: its first leader, or its founder if there is none left."""
    leader = row.members.filter(state=Member.State.LEADER).select_related("guest").first()
    return leader.guest if leader else row.founder


def _decide(row: Team, by: User, act: str, reason: str, key: str) -> None:
    with writing():
        row = services.locked(row)
        if was_done(by, key) or not row.is_going:
            return
        about = responsible_for(row)
        expect_other(by, about)
        note(by, about, act, reason, key, {"team": row.code})
        notices.forget_name(row)
        row.line = ""
        unname(row)
        if act == "team closed":
            services.close(row, notices.CLOSED)
        else:
            _tell_leaders(row)


def _tell_leaders(row: Team) -> None:
    for guest in row.members.filter(state=Member.State.LEADER).values_list("guest", flat=True):
        notices.tell_news(row, guest, notices.RENAMED, clock.now())
