"""Handles guests who sign in, and people who are erased: their games stay, without their names."""

from django.db.models import F, QuerySet

from kakomi.core import IllegalAction
from kakomi.server.accounts.models import Guest
from kakomi.server.realtime import announce
from kakomi.server.site.database import outside_requests, writing
from kakomi.server.site.jobs import has_work_in
from kakomi.server.tables import models, selectors, services, vacations
from kakomi.server.tables.commands import Stale
from kakomi.server.tables.models import Table
from kakomi.session import Refused


def take_over_seats(*, left: Guest, guest: Guest, **_: object) -> None:
    """Transfer all seats and the time off of one guest to another.

    If both sat at a table, the guest shares a screen there afterwards. Must be inside a transaction.
    """
    theirs = Table.objects.filter(seats__guest=left).values("pk")
    for row in Table.objects.select_for_update().filter(pk__in=theirs).order_by("pk"):
        row.seats.filter(guest=left).update(guest=guest)
        Table.objects.filter(pk=row.pk).update(news=F("news") + 1)
        announce(row.code, row.news + 1)
    vacations.transfer_time_off(left, guest)


def forget_names(guest: Guest) -> None:
    """Remove a guest's name from their seats."""
    own_seats = models.Seat.objects.filter(guest=guest)
    own_seats.update(name="", name_folded="", draft=[], wants_rematch=False)


def _erased() -> "QuerySet[models.Seat]":
    return models.Seat.objects.filter(guest__is_erased=True, table__is_over=False)


@has_work_in(lambda now: _erased())
@outside_requests
def leave_tables() -> None:
    """Resign the running games of erased people, as the rules prescribe.

    At a table without entries and with a free seat, theirs becomes free too, or the table is deleted if
    empty.
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
    except (Stale, Refused, IllegalAction):  # the table has just changed: the next run tries again
        return
