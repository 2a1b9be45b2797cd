"""What is asked of the tables in the database."""

from django.db.models import QuerySet
from django.http import Http404

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.django_private import PreparedQuery
from kakomi.server.tables import models
from kakomi.server.tables.cache import CACHE
from kakomi.session import Table

_BY_CODE = PreparedQuery(lambda code: models.Table.objects.filter(code=code))
_SEATS = PreparedQuery(lambda table: models.Seat.objects.filter(table=table))
_GUESTS = PreparedQuery(lambda table: Guest.objects.filter(seats__table=table))


def find_table(code: str) -> models.Table:
    """The table with a code. Raises Http404 if there is none."""
    row = _BY_CODE.first(code)
    if row is None:
        raise Http404(
            lazy_message("There is no such table. It may have been deleted, or the link is not complete.")
        )
    return row


def table_of(row: models.Table) -> Table:
    """The table as it stands after the entries that the row knows of."""
    return CACHE.table_of(row)


def seats_of(row: models.Table, guest: Guest | None) -> list[models.Seat]:
    """The seats of a table with their guests, of whom one may be known already."""
    seats = _SEATS.rows(row.pk)
    known: dict[int | None, Guest] = {guest.pk: guest} if guest else {}
    if not {seat.guest_id for seat in seats} <= {None, *known}:
        known |= {other.pk: other for other in _GUESTS.rows(row.pk)}
    for seat in seats:
        seat.table, seat.guest = row, known.get(seat.guest_id)
    return seats


def invited_seat(invitation: str) -> models.Seat | None:
    """The seat that an invitation is for, with its table."""
    return models.Seat.objects.select_related("table").filter(invitation=invitation).first()


def tables_of(guest: Guest, *, is_over: bool) -> "QuerySet[models.Table]":
    """The tables at which a guest sits and which they have not deleted, the ones touched last first."""
    seats = models.Seat.objects.filter(guest=guest, is_hidden=False)
    tables = models.Table.objects.filter(pk__in=seats.values("table"), is_over=is_over)
    return tables.order_by("-changed_at").prefetch_related("seats")


def deleted_table(code: str, guest: Guest) -> models.Table | None:
    """A table that a guest has taken off their list."""
    return models.Table.objects.filter(code=code, seats__guest=guest, seats__is_hidden=True).first()
