"""Erasing a person: afterwards no name of theirs is in the database, nor in its next backup.

Games stay, with a player who is called "deleted player". All else goes, in one transaction. Then they leave
the games that go on, or the job in `tables.receivers` has them do so if the process dies in between.
"""

from collections.abc import Set

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q
from django.utils import timezone

from kakomi.server.accounts.models import Guest, SignIn, User, new_token
from kakomi.server.accounts.selectors import KEPT, models_of_people, pattern_of, rows_of
from kakomi.server.analysis import erasure as studies
from kakomi.server.database import writing
from kakomi.server.notices import erasure as notices
from kakomi.server.people.signals import guest_erased
from kakomi.server.tables import receivers as tables
from kakomi.server.tables.models import Seat, Table


def erase(guest: Guest) -> None:
    """Erase a guest, and their user and bots if they have any. It can't be undone."""
    with writing():
        forget(guest)
    tables.leave_tables()


def forget(guest: Guest) -> None:
    """The same inside a transaction of the caller's, who has them leave their games afterwards."""
    for bot in Guest.objects.filter(user__owner__guest=guest):
        _erase(bot)
    _erase(guest)


def running_games(guest: Guest) -> int:
    """The number of games that go on, in which the guest would resign."""
    going = Table.objects.filter(seats__guest=guest, is_over=False, entries__gt=0)
    return going.distinct().count()


def _erase(guest: Guest) -> None:
    names = _names_of(guest)
    studies.forget_names(guest, names)
    tables.forget_names(guest)
    addresses = _addresses_of(guest)
    notices.forget_names(names, addresses)
    _forget_elsewhere(guest, names | addresses)
    guest_erased.send(Guest, guest=guest, names=names, addresses=addresses)
    for model, fields in models_of_people():
        if model._meta.label_lower not in KEPT:
            rows_of(guest, model, fields).delete()
    User.objects.filter(guest=guest).delete()
    # Last: whoever waits for this row finds an erased guest.
    guest.token, guest.sign_outs, guest.is_erased = new_token(), guest.sign_outs + 1, True
    guest.name, guest.handle, guest.theme, guest.confirms_turns = "", None, "auto", True
    guest.zone = ""
    guest.created_at = timezone.now()
    guest.save()


def _names_of(guest: Guest) -> set[str]:
    """All names that the guest went by, as far as they are known."""
    names = {guest.name, guest.handle or ""} | set(
        Seat.objects.filter(guest=guest).values_list("name", flat=True)
    )
    return names - {""}


def _addresses_of(guest: Guest) -> set[str]:
    """The mail addresses of the guest's user, those that are not confirmed too."""
    kept = apps.get_model("account", "emailaddress")._default_manager.filter(user__guest=guest)
    users = User.objects.filter(guest=guest)
    return {*users.values_list("email", flat=True), *kept.values_list("email", flat=True)} - {""}


def _forget_elsewhere(guest: Guest, names: Set[str]) -> None:
    """What staff did with the person or what is theirs stays in the log of the admin, without names. Sign-ins
    that were not finished know an address."""
    users = [str(number) for number in User.objects.filter(guest=guest).values_list("pk", flat=True)]
    kinds = ContentType.objects.get_for_models(Guest, User)
    about = Q(content_type=kinds[Guest], object_id=str(guest.pk)) | Q(
        content_type=kinds[User], object_id__in=users
    )
    known = pattern_of(names)
    naming = [
        entry.pk
        for entry in LogEntry.objects.all()
        if known and known.search(f"{entry.object_repr} {entry.change_message}")
    ]
    LogEntry.objects.filter(about | Q(pk__in=naming)).update(object_repr="", change_message="")
    for row in SignIn.objects.filter(user=None):  # it lacks a step, so it is nobody's yet
        if known and known.search(row.data):
            row.delete()
