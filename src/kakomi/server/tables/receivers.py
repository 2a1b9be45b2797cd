"""What tables do when a guest becomes a user, and when a person is erased: games stay, without a name."""

from django.db.models import F, QuerySet

from kakomi.core import IllegalAction
from kakomi.server.accounts.models import Guest
from kakomi.server.database import outside_requests, writing
from kakomi.server.job_questions import works_on
from kakomi.server.realtime import announce
from kakomi.server.rests import services as rests_services
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.commands import Stale
from kakomi.server.tables.models import Table
from kakomi.session import Refused


def take_over_seats(*, left: Guest, guest: Guest, **_: object) -> None:
    """Give a guest all seats of another one. Who sat at both sides of a table shares a screen there now.

    Their rests come with them. Must be inside a transaction.
    """
    theirs = Table.objects.filter(seats__guest=left).values("pk")
    for row in Table.objects.select_for_update().filter(pk__in=theirs).order_by("pk"):
        row.seats.filter(guest=left).update(guest=guest)
        Table.objects.filter(pk=row.pk).update(news=F("news") + 1)
        announce(row.code, row.news + 1)
    rests_services.join(left, guest)


def forget_names(guest: Guest) -> None:
    """Take a guest's name out of their seats."""
    own_seats = models.Seat.objects.filter(guest=guest)
    own_seats.update(name="", name_folded="", draft=[], wants_rematch=False)


def _erased() -> "QuerySet[models.Seat]":
    return models.Seat.objects.filter(guest__is_erased=True, table__is_over=False)


@works_on(lambda now: _erased())
@outside_requests
def leave_tables() -> None:
    """Have those who were erased leave the games that go on: they resign, as the rules have it.

    A table at which nobody else sits is removed, and a seat from which nothing was done is open again.
    """
    for seat in _erased().select_related("table").order_by("pk"):
        _leave(seat)


def _leave(seat: models.Seat) -> None:
    row = seat.table
    others = row.seats.exclude(guest=seat.guest_id)
    if not row.entries and others.filter(guest=None, bot="").exists():
        with writing():
            if others.filter(guest__isnull=False).exists():
                row.seats.filter(guest=seat.guest_id, table__entries=0).update(guest=None)
            else:
                models.Table.objects.filter(pk=row.pk, entries=0).delete()
        return
    if not selectors.table_of(row).may(seat.number, "resign", None):
        return
    try:
        services.add(
            row.code,
            [("resign", None)],
            seat=seat.number,
            base=row.entries,
            key=f"erased-{seat.number}-{row.entries}",
        )
    except (Stale, Refused, IllegalAction):  # something happened at this moment: the next run looks again
        return
