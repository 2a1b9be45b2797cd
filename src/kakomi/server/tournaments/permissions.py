"""Who directs a tournament."""

from kakomi.server.accounts.models import Guest, User
from kakomi.server.tournaments.models import Tournament


def is_director(row: Tournament, guest: Guest | None) -> bool:
    """Whether somebody corrects results, removes people and ends the tournament: its organiser, or staff."""
    if guest is None:
        return False
    return row.organiser_id == guest.pk or User.objects.filter(guest=guest, is_staff=True).exists()
