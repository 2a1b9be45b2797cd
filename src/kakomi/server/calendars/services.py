"""Personal calendars: made, given a new address, and ended."""

from kakomi.server import clock
from kakomi.server.accounts.models import Guest, new_token
from kakomi.server.calendars.models import CalendarAddress
from kakomi.server.database import writing


def make(guest: Guest) -> CalendarAddress:
    """The address of a guest's calendar, made now if there is none."""
    return CalendarAddress.objects.get_or_create(guest=guest, defaults={"made_at": clock.now()})[0]


def renew(guest: Guest) -> CalendarAddress:
    """A new address; whoever knows the old one reads nothing any more."""
    new = {"token": new_token(), "made_at": clock.now()}
    return CalendarAddress.objects.update_or_create(guest=guest, defaults=new)[0]


def end(guest: Guest) -> None:
    """Have no such address any more."""
    CalendarAddress.objects.filter(guest=guest).delete()


def take_over(*, left: Guest, guest: Guest, **_named: object) -> None:
    """Give a guest the address of another one, who is the same person, unless they have one."""
    with writing():
        if not CalendarAddress.objects.filter(guest=guest).exists():
            CalendarAddress.objects.filter(guest=left).update(guest=guest)
