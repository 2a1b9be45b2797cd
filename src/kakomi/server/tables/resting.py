"""What tables have to do with the vacations of those who sit there."""

from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from kakomi.server.rests.models import Vacation
from kakomi.server.tables import models, services


def tables_beside(guest: int) -> "QuerySet[models.Table]":
    """The games over days that go on and at which a guest sits, by number."""
    return models.Table.objects.filter(is_over=False, pace="days", seats__guest=guest).distinct()


def show_vacation(vacation: Vacation, **_: object) -> None:
    """A vacation begins or ends: whoever has one of its guest's tables open sees it.

    Once the vacation's row is free again: whoever holds a table's row may wait for its guest's rests.
    """
    transaction.on_commit(partial(_show, vacation.guest_id))


def _show(guest: int) -> None:
    services.tell_viewers(list(tables_beside(guest).values_list("pk", flat=True)))
