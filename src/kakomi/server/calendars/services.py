"""The addresses of personal calendars."""

from kakomi.server.accounts.models import Guest, new_token
from kakomi.server.calendars.models import CalendarAddress
from kakomi.server.database import writing


def renew(guest: Guest) -> None:
    """Give a guest's calendar a new address; whoever knows the old one reads nothing any more."""
    with writing():
        CalendarAddress.objects.update_or_create(guest=guest, defaults={"token": new_token()})


def take_over(*, left: Guest, guest: Guest, **_named: object) -> None:
    """Give a guest the address of another one, who is the same person, unless they have one."""
    if not CalendarAddress.objects.filter(guest=guest).exists():
        CalendarAddress.objects.filter(guest=left).update(guest=guest)
