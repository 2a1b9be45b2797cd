"""Who leads a team."""

from kakomi.server.accounts.models import Guest
from kakomi.server.teams.models import Member, Team


def leads(row: Team, guest: Guest | None) -> bool:
    """Whether somebody leads a team."""
    return guest is not None and row.members.filter(guest=guest, state=Member.State.LEADER).exists()
