"""The people of a season: players with accounts, a third of whom play by mail, and staff."""

from collections.abc import Callable
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission

from kakomi.server.accounts.models import Guest, User
from kakomi.server.notices.models import Mailing
from kakomi.server.tables import vacations
from kakomi.server.tables.models import TimeOff
from kakomi.server.tables.vacations import RegularTimeOff
from season.course import address_of, plays_by_mail


def enrol(people: int) -> list[int]:
    """Create the missing players and return the IDs of their guests.

    One in four takes vacation days automatically when time runs out, and another one rests on weekends.
    """
    guests = [_known(f"player{number}", f"Player {number}") for number in range(people)]
    for number, guest in enumerate(guests):
        if plays_by_mail(number):
            _give_address(guest, address_of(number))
        if number % 4 and not TimeOff.objects.filter(guest=guest).exists():
            weekend = (5, 6) if number % 4 == 1 else ()
            vacations.choose_time_off(guest, RegularTimeOff(weekend=weekend, is_automatic=False))
    return [guest.pk for guest in guests]


def employ(count: int) -> list[int]:
    """Create moderators and return the IDs of their guests."""
    guests = [_known(f"warden{number}", f"Warden {number}") for number in range(count)]
    rights = Permission.objects.filter(
        content_type__app_label="moderation", codename__in=("moderate", "erase")
    )
    for guest in guests:
        User.objects.filter(guest=guest).update(is_staff=True)
        guest.user.user_permissions.set(rights)
    return [guest.pk for guest in guests]


def _known(username: str, name: str) -> Guest:
    """The guest with a user name, created if missing."""
    user = User.objects.filter(username=username).select_related("guest").first()
    if user is None:
        user = User.objects.create(guest=Guest.objects.create(name=name), username=username)
    return user.guest


def _give_address(guest: Guest, address: str) -> None:
    User.objects.filter(guest=guest).update(email=address)
    EmailAddress.objects.get_or_create(
        user=guest.user, email=address, defaults={"verified": True, "primary": True}
    )
    Mailing.objects.update_or_create(guest=guest, defaults={"plays_by_mail": True})


COMMANDS: dict[str, Callable[..., Any]] = {"enrol": enrol, "employ": employ}
