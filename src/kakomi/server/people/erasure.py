"""Erasing a person: afterwards none of their names is in the database or its next backup.

Games stay, with a "deleted player". Everything else is deleted in one transaction. Afterwards the person
leaves unfinished games; if the process dies in between, the job in `tables.receivers` does this.
"""

from collections.abc import Set

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q
from django.utils import timezone

from kakomi.server.accounts.models import Guest, SignIn, User, new_token
from kakomi.server.accounts.selectors import KEPT, models_of_people, pattern_of, rows_of
from kakomi.server.analysis import services as studies
from kakomi.server.notices import services as notices
from kakomi.server.people.signals import guest_erased
from kakomi.server.site.database import writing
from kakomi.server.tables import receivers as tables
from kakomi.server.tables.models import Seat, Table


def erase(guest: Guest) -> None:
    """Erase a guest, with their user and bots. This can't be undone."""
    with writing():
        forget(guest)
    tables.leave_tables()


def forget(guest: Guest) -> None:
    """Erase a guest inside the caller's transaction. The caller must call `leave_tables` afterwards."""
    for bot in Guest.objects.filter(user__owner__guest=guest):
        _erase(bot)
    _erase(guest)


def running_games(guest: Guest) -> int:
    """The number of unfinished games, in which the guest would resign."""
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
    # Update this row last, so that transactions waiting for it find an erased guest.
    guest.token, guest.sign_outs, guest.is_erased = new_token(), guest.sign_outs + 1, True
    guest.name, guest.handle, guest.theme = "", None, "auto"
    guest.confirms_turns = guest.shows_games = True
    guest.zone = ""
    guest.created_at = timezone.now()
    guest.save()


def _names_of(guest: Guest) -> set[str]:
    """All known names that the guest has used."""
    names = {guest.name, guest.handle or ""} | set(
        Seat.objects.filter(guest=guest).values_list("name", flat=True)
    )
    return names - {""}


def _addresses_of(guest: Guest) -> set[str]:
    """The mail addresses of the guest's user, including unconfirmed ones."""
    kept = apps.get_model("account", "emailaddress")._default_manager.filter(user__guest=guest)
    users = User.objects.filter(guest=guest)
    return {*users.values_list("email", flat=True), *kept.values_list("email", flat=True)} - {""}


def _forget_elsewhere(guest: Guest, names: Set[str]) -> None:
    """Remove names from the admin log, whose entries stay, and delete unfinished sign-ins that have one of
    the names or addresses."""
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
    for row in SignIn.objects.filter(user=None):  # an unfinished sign-in has no user yet
        if known and known.search(row.data):
            row.delete()
