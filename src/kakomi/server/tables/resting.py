"""What tables have to do with the vacations of those who sit there."""

from django.db.models import QuerySet

from kakomi.server.rests.models import Vacation
from kakomi.server.tables import models, services


def tables_beside(guest: int) -> "QuerySet[models.Table]":
    """The games over days that go on and at which a guest sits, by number."""
    return models.Table.objects.filter(is_over=False, pace="days", seats__guest=guest).distinct()


def show_vacation(vacation: Vacation, **_: object) -> None:
    """A vacation begins or ends: whoever has one of its guest's tables open sees it.

    The number of news says so in the database before anybody notes that it was told, so a process that dies
    in between leaves no page behind. No row may be locked here: whoever holds a table's may wait for its
    guest's rests.
    """
    services.tell_viewers(list(tables_beside(vacation.guest_id).values_list("pk", flat=True)))
