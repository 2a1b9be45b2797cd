"""Bot accounts: users for programs, which say that they are bots, with somebody who answers for them."""

from collections.abc import Iterable

from django.core.exceptions import ValidationError

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.forms import Preferences
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.name_rules import is_reserved
from kakomi.server.database import writing
from kakomi.session import Refused

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
