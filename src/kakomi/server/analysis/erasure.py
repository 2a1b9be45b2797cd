"""What studies do when a person is erased: theirs go, and their name leaves those of their games."""

from collections.abc import Set

from django.db.models import Model
from msgspec.structs import replace

from kakomi.records import read_json, write_json
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis.models import Revision, Study, Survey
from kakomi.server.tables.selectors import GONE


def forget_names(guest: Guest, names: Set[str]) -> None:
    """Take the names that a guest went by out of everybody's studies of games that they played."""
    studies = Study.objects.filter(table__seats__guest=guest).values("pk")
    for rows in (
        Study.objects.filter(pk__in=studies),
        Revision.objects.filter(study__in=studies),
        Survey.objects.filter(study__in=studies),
    ):
        for row in rows.only("record").order_by("pk").iterator():
            _rename(row, row.record, names)


def _rename(row: Model, text: str, names: Set[str]) -> None:
    record = read_json(text.encode())
    seats = tuple(replace(seat, name=GONE) if seat.name in names else seat for seat in record.seats)
    if seats != record.seats:
        text = write_json(replace(record, seats=seats)).decode()
        type(row)._default_manager.filter(pk=row.pk).update(record=text)
