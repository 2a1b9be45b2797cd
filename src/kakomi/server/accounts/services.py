"""What changes guests, users and bot accounts, their time zones, and locks on people.

A bot account is a user for a program, which says that it is a bot, with somebody who answers for it.

A change to what several people share, such as a seek, holds the locks of all of them. A person's lock is
their guest's row. Locks are taken in the order of numbers, so that no two processes wait for each other;
while one is held, that person joins, leaves or begins nothing else.
"""

import functools
import zoneinfo
from collections.abc import Callable, Iterable
from typing import TypeVar, cast

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db.models import Q

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.forms import Preferences
from kakomi.server.accounts.models import Block, Guest, SignIn, User, new_token
from kakomi.server.accounts.name_rules import is_reserved
from kakomi.server.accounts.signals import guests_joined, guests_joining, signed_out
from kakomi.server.database import writing
from kakomi.server.exceptions import Conflict
from kakomi.session import Refused


def renew_link(guest: Guest) -> None:
    """Replace a guest's private link. The old one, and browsers that know the guest by it, no longer work."""
    guest.token, guest.sign_outs = new_token(), guest.sign_outs + 1
    guest.save(update_fields=["token", "sign_outs"])
    SignIn.objects.filter(user__guest=guest).delete()
    signed_out.send(Guest, guest=guest)


def sign_up(user: User, here: Guest | None) -> User:
    """Keep a new user: as the guest that their browser is, with all that guest has, or as a new one.

    The guest's private link ends, as it would lead round a password. Must be inside a transaction. Raises
    IntegrityError if somebody has taken the username meanwhile.
    """
    guest = here and Guest.objects.select_for_update(no_key=True).get(pk=here.pk)
    if guest is None or guest.has_user:
        guest = Guest()
    guest.name = guest.name or user.username
    guest.save()
    renew_link(guest)
    user.guest = guest
    user.save()
    return user


def join_guests(left: Guest, user: User) -> None:
    """Move what a guest has to a user's guest, for good: seats, studies, and what other apps keep.

    Raises Conflict if somebody has signed up as that guest meanwhile.
    """

    def concerned() -> set[int]:
        others = guests_joining.send(Guest, left=left, guest=user.guest)
        found: set[int] = {left.pk, user.guest_id}
        return found.union(*(cast(set[int], numbers) for _, numbers in others))

    def joined(_: frozenset[int]) -> None:
        before, guest = Guest.objects.get(pk=left.pk), Guest.objects.get(pk=user.guest_id)
        if before.has_user:
            raise Conflict(lazy_message("Somebody has signed up as that guest meanwhile."))
        _take_over_blocks(before, guest)
        if not guest.zone:
            Guest.objects.filter(pk=guest.pk).update(zone=before.zone)
        guests_joined.send(Guest, left=before, guest=guest)
        renew_link(before)

    with_people(concerned, joined)


def _take_over_blocks(left: Guest, guest: Guest) -> None:
    """Whom they have blocked, and who has blocked them: signing in is no way round that."""
    theirs = Block.objects.filter(Q(blocker=left) | Q(blocked=left))
    for known in theirs.select_related("blocker", "blocked"):
        block(
            guest if known.blocker == left else known.blocker,
            guest if known.blocked == left else known.blocked,
        )
    theirs.delete()


def block(guest: Guest, other: Guest) -> None:
    """Keep two guests apart from now on, because the first wants it. Blocking oneself does nothing."""
    if guest.pk != other.pk:
        Block.objects.get_or_create(blocker=guest, blocked=other)


def unblock(guest: Guest, other: Guest) -> None:
    """Take a guest's block of another back; the other's, if there is one, stays."""
    Block.objects.filter(blocker=guest, blocked=other).delete()


def add_staff(username: str, password: str, email: str = "") -> User:
    """Add a user to whom the whole admin is open. Raises ValidationError for what can't be."""
    with writing():
        user = User(
            guest=Guest(name=username), username=username, email=email, is_staff=True, is_superuser=True
        )
        _check(user, password)
        user.guest.save()
        user.guest = user.guest  # whose number is known now
        user.set_password(password)
        user.save()
    return user


def set_password(user: User, password: str) -> None:
    """Replace a password; browsers that signed in with the old one are signed out. Raises ValidationError."""
    validate_password(password, user)
    user.set_password(password)
    user.save(update_fields=["password"])


def set_staff(user: User, is_staff: bool) -> None:
    """Let a user into the admin, or no more."""
    user.is_staff = user.is_superuser = is_staff
    user.save(update_fields=["is_staff", "is_superuser"])


def _check(user: User, password: str) -> None:
    user.clean_fields(exclude=["guest", "password"])
    user.validate_constraints(exclude=["guest"])
    validate_password(password, user)


MOST_BOTS = 10
"""Of one user."""


def make_bot(owner: User, username: str, name: str = "") -> User:
    """A new bot, which is one from the beginning and for good.

    It can't sign in: its owner makes tokens for it. Raises Refused for a name that can't be, for too many
    bots, and for a bot as owner.
    """
    if owner.guest.is_bot:
        raise Refused(lazy_message("a bot can’t have bots"))
    if is_reserved(username):
        raise Refused(lazy_message("this name could be taken for the site’s staff: choose another one"))
    shown = Preferences.of({"name": name}).name or username
    bot = User(username=username, owner=owner, guest=Guest(name=shown, is_bot=True))
    bot.set_unusable_password()
    with writing():
        User.objects.select_for_update().get(pk=owner.pk)  # one after the other
        if owner.bots.count() >= MOST_BOTS:
            raise Refused(
                lazy_message("you have {most} bots: that is as many as there may be", most=MOST_BOTS)
            )
        try:
            bot.guest.clean_fields()
            bot.clean_fields(exclude=["guest", "password"])
            bot.validate_constraints(exclude=["guest"])
            bot.validate_unique(exclude=["guest"])
        except ValidationError as error:
            raise Refused(" ".join(error.messages)) from None
        bot.guest.save()
        bot.guest = bot.guest  # whose number is known now
        bot.save()
    return bot


def have_one_owner(guests: Iterable[Guest | None]) -> bool:
    """Whether two of several guests belong to the same person: a bot and its owner, or two bots of an owner.

    Such games are not rated, since one person could give rating away to themselves.
    """
    present = {guest.pk: guest for guest in guests if guest is not None}
    if not any(guest.is_bot for guest in present.values()):
        return False
    users = User.objects.filter(guest__in=present).values_list("pk", "owner")
    people = [owner or number for number, owner in users]
    return len(set(people)) < len(people)


@functools.cache
def zone_names() -> tuple[str, ...]:
    """The zones that people choose from, in the order of their names."""
    places = (name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ("UTC", *sorted(places))


def expect_zone(name: str) -> None:
    """Raises Refused for a zone that there isn't."""
    if name not in zone_names():
        raise Refused(lazy_message("there is no time zone {name}", name=repr(name[:40])))


def note_zone(guest: Guest, name: str) -> None:
    """Take the zone of somebody's browser as theirs, unless they have chosen one, or it isn't known here."""
    if not guest.zone and name in zone_names():
        Guest.objects.filter(pk=guest.pk, zone="").update(zone=name)
        guest.zone = name


Result = TypeVar("Result")
Find = Callable[[], Iterable[int]]


def with_people(find: Find, do: Callable[[frozenset[int]], Result]) -> Result:
    """Do something in a transaction that holds the locks of the people that `find` finds.

    They are asked for again under the locks, and handed on; if others have come meanwhile, all begins anew.
    """
    wanted = frozenset(find())
    while True:
        with writing():
            lock(wanted)
            if (found := frozenset(find())) <= wanted:
                return do(found)
        wanted |= found


def lock(numbers: Iterable[int]) -> None:
    """Lock people inside a transaction."""
    people = Guest.objects.select_for_update(no_key=True).filter(pk__in=tuple(numbers))
    list(people.order_by("pk").values_list("pk"))
