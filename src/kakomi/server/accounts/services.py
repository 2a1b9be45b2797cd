"""Changes to guests, users, bot accounts and time zones, and locks on people.

A bot account is a user for a program. It is marked as a bot, and has an owner who is responsible for it.

A change to something that several people share, such as a seek, holds the locks of all of them. A person's
lock is their guest's row. Locks are taken in the order of primary keys to avoid deadlocks; while one is held,
that person joins, leaves or begins nothing else.
"""

import contextlib
import functools
import zoneinfo
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import TypeVar, cast

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import OperationalError
from django.db.models import Q
from django.utils import timezone

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.forms import name_in
from kakomi.server.accounts.models import Block, Guest, SignIn, User, new_token
from kakomi.server.accounts.name_rules import is_reserved
from kakomi.server.accounts.signals import guests_joined, guests_joining, signed_out
from kakomi.server.site.database import writing
from kakomi.server.site.exceptions import Conflict
from kakomi.session import Refused

MOST_BOTS = 10
"""The most bots of one user."""
SEEN_EVERY = timedelta(minutes=1)
"""The precision of guests' `seen_at`."""
Result = TypeVar("Result")
Find = Callable[[], Iterable[int]]


def renew_link(guest: Guest) -> None:
    """Replace a guest's private link, and sign out all their browsers."""
    guest.token, guest.sign_outs = new_token(), guest.sign_outs + 1
    guest.save(update_fields=["token", "sign_outs"])
    SignIn.objects.filter(user__guest=guest).delete()
    signed_out.send(Guest, guest=guest)


def sign_up(user: User, here: Guest | None) -> User:
    """Save a new user as the guest of their browser, with all that guest has, or as a new guest.

    The guest's private link is revoked, as it would bypass the password. Must be inside a transaction. Raises
    IntegrityError if somebody has just taken the username.
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
    """Move all that a guest has to a user's guest: seats, studies, and rows of other apps.

    Raises Conflict if somebody has signed up as that guest in the meantime.
    """

    def concerned() -> set[int]:
        others = guests_joining.send(Guest, left=left, guest=user.guest)
        found: set[int] = {left.pk, user.guest_id}
        return found.union(*(cast(set[int], numbers) for _, numbers in others))

    def joined(_: frozenset[int]) -> None:
        before, guest = Guest.objects.get(pk=left.pk), Guest.objects.get(pk=user.guest_id)
        if before.has_user:
            raise Conflict(lazy_message("Someone has already signed up as this guest."))
        _take_over_blocks(before, guest)
        if not guest.zone:
            Guest.objects.filter(pk=guest.pk).update(zone=before.zone)
        guests_joined.send(Guest, left=before, guest=guest)
        renew_link(before)

    with_locked_people(concerned, joined)


def _take_over_blocks(left: Guest, guest: Guest) -> None:
    """Move a guest's blocks, and the blocks against them, so that signing in doesn't evade these."""
    theirs = Block.objects.filter(Q(blocker=left) | Q(blocked=left))
    for known in theirs.select_related("blocker", "blocked"):
        block(
            guest if known.blocker == left else known.blocker,
            guest if known.blocked == left else known.blocked,
        )
    theirs.delete()


def block(guest: Guest, other: Guest) -> None:
    """Let a guest block another. Does nothing if both are the same."""
    if guest.pk != other.pk:
        Block.objects.get_or_create(blocker=guest, blocked=other)


def unblock(guest: Guest, other: Guest) -> None:
    """Remove a guest's block of another. A block by the other stays."""
    Block.objects.filter(blocker=guest, blocked=other).delete()


def add_staff(username: str, password: str, email: str = "") -> User:
    """Add a user with access to the whole admin. Raises ValidationError for invalid values."""
    with writing():
        user = User(
            guest=Guest(name=username), username=username, email=email, is_staff=True, is_superuser=True
        )
        _expect_valid(user, password)
        user.guest.save()
        user.guest = user.guest  # now that it has a primary key
        user.set_password(password)
        user.save()
    return user


def set_password(user: User, password: str) -> None:
    """Replace a password; browsers that signed in with the old one are signed out. Raises ValidationError."""
    validate_password(password, user)
    user.set_password(password)
    user.save(update_fields=["password"])


def set_staff(user: User, is_staff: bool) -> None:
    """Grant a user access to the admin, or revoke it."""
    user.is_staff = user.is_superuser = is_staff
    user.save(update_fields=["is_staff", "is_superuser"])


def _expect_valid(user: User, password: str) -> None:
    user.clean_fields(exclude=["guest", "password"])
    user.validate_constraints(exclude=["guest"])
    validate_password(password, user)


def make_bot(owner: User, username: str, name: str = "") -> User:
    """Create a bot account, which stays one forever.

    It can't sign in: its owner makes tokens for it. Raises Refused for an invalid name, too many bots, or a
    bot as owner.
    """
    if owner.guest.is_bot:
        raise Refused(lazy_message("a bot can’t have bots"))
    if is_reserved(username):
        raise Refused(lazy_message("this name could be mistaken for a moderator: choose another one"))
    shown = name_in({"name": name}) or username
    bot = User(username=username, owner=owner, guest=Guest(name=shown, is_bot=True))
    bot.set_unusable_password()
    with writing():
        User.objects.select_for_update().get(pk=owner.pk)  # serializes the check of the limit
        if owner.bots.count() >= MOST_BOTS:
            raise Refused(lazy_message("you already have {most} bots, which is the limit", most=MOST_BOTS))
        try:
            bot.guest.clean_fields()
            bot.clean_fields(exclude=["guest", "password"])
            bot.validate_constraints(exclude=["guest"])
            bot.validate_unique(exclude=["guest"])
        except ValidationError as error:
            raise Refused(" ".join(error.messages)) from None
        bot.guest.save()
        bot.guest = bot.guest  # now that it has a primary key
        bot.save()
    return bot


def have_one_owner(guests: Iterable[Guest | None]) -> bool:
    """Whether two of several guests belong to the same person: a bot and its owner, or two bots of an owner.

    Such games can't be rated, since people could transfer rating to themselves.
    """
    present = {guest.pk: guest for guest in guests if guest is not None}
    if not any(guest.is_bot for guest in present.values()):
        return False
    users = User.objects.filter(guest__in=present).values_list("pk", "owner")
    people = [owner or number for number, owner in users]
    return len(set(people)) < len(people)


@functools.cache
def zone_names() -> tuple[str, ...]:
    """The time zones to choose from, UTC first, then by name."""
    places = (name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ("UTC", *sorted(places))


def expect_zone(name: str) -> None:
    """Raise Refused for an unknown time zone."""
    if name not in zone_names():
        raise Refused(lazy_message("there is no time zone called {name}", name=repr(name[:40])))


def save_preferences(guest: Guest, fields: Mapping[str, object]) -> None:
    """Save a guest's preferences, by field."""
    for field, value in fields.items():
        setattr(guest, field, value)
    guest.save(update_fields=[*fields])


def note_presence(guest: Guest) -> None:
    """Record that a page of somebody's is open, once a minute."""
    now = timezone.now()
    if guest.seen_at is None or now - guest.seen_at > SEEN_EVERY:
        with contextlib.suppress(OperationalError):  # pages should work even if the disk is full
            Guest.objects.filter(pk=guest.pk).update(seen_at=now)


def note_zone(guest: Guest, name: str) -> None:
    """Save the time zone of somebody's browser, unless they already have one or it is unknown."""
    if not guest.zone and name in zone_names():
        Guest.objects.filter(pk=guest.pk, zone="").update(zone=name)
        guest.zone = name


def with_locked_people(find: Find, do: Callable[[frozenset[int]], Result]) -> Result:
    """Call `do` in a transaction that holds the locks of the people that `find` returns, by primary key.

    `find` is called again under the locks for the argument of `do`; if it returns more people, all starts
    over.
    """
    wanted = frozenset(find())
    while True:
        with writing():
            lock_people(wanted)
            if (found := frozenset(find())) <= wanted:
                return do(found)
        wanted |= found


def lock_people(numbers: Iterable[int]) -> None:
    """Lock people, given by primary key. Must be inside a transaction."""
    people = Guest.objects.select_for_update(no_key=True).filter(pk__in=tuple(numbers))
    list(people.order_by("pk").values_list("pk"))
