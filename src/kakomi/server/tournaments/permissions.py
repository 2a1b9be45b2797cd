"""Who directs a tournament."""

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, User
from kakomi.server.tournaments.models import Tournament
from kakomi.session import Refused


def is_director(row: Tournament, guest: Guest | None) -> bool:
    """Whether somebody corrects results, removes people and ends the tournament: its organiser, or staff."""
    if guest is None:
        return False
    return row.organiser_id == guest.pk or User.objects.filter(guest=guest, is_staff=True).exists()


def expect_director(row: Tournament, guest: Guest) -> None:
    """Raise Refused for whoever isn't its director."""
    if not is_director(row, guest):
        raise Refused(lazy_message("Only the organiser of the tournament can do that, or the site’s staff."))
