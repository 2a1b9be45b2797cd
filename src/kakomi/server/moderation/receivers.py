"""Moderation's signal receivers for opened tables, taken seats, guests who become users, and erasures.

The names of an erased person are also removed from what others wrote to staff.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from django.db.models import Model, QuerySet

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import pattern_of
from kakomi.server.moderation.models import (
    TEXT_LENGTH,
    Appeal,
    AuditEntry,
    Case,
    ErasureRequest,
    Measure,
    Report,
)
from kakomi.server.moderation.restrictions import barred_from_games, check_not_barred, why_barred
from kakomi.server.ratings.models import Correction, Ruling
from kakomi.server.site import clock
from kakomi.server.tables import models as tables
from kakomi.session import Refused

ONE_IS_BARRED = lazy_message(
    "This game can’t start: one of its players can’t start games with others right now."
)


def on_table_opened(row: tables.Table, **_named: Any) -> None:
    """Raise Refused if a restricted person would begin a rated game or one with others."""
    seats = list(row.seats.all())
    people = {seat.guest_id for seat in seats if seat.guest_id is not None}
    is_alone = len(people) == 1 and all(seat.bot or seat.guest_id for seat in seats)
    if is_alone and not row.is_rated:
        return
    if barred := barred_from_games(people):
        raise Refused(why_barred(next(iter(barred.values()))) if len(people) == 1 else ONE_IS_BARRED)


def on_seat_taken(row: tables.Table, guest: Guest, **_named: Any) -> None:
    """Raise Refused if the person sitting down, or anyone already seated, is restricted."""
    check_not_barred(guest)
    others = row.seats.exclude(guest=None).exclude(guest=guest).values_list("guest", flat=True)
    if barred_from_games(number for number in others if number is not None):
        raise Refused(ONE_IS_BARRED)


def on_guest_erased(guest: Guest, names: Collection[str], **_named: Any) -> None:
    """Remove the words about an erased person from the audit log and other texts."""
    AuditEntry.objects.forget(guest)
    redact(guest, names)


def take_over_standing(*, left: Guest, guest: Guest, **_: object) -> None:
    """Move the cases, measures and reports of `left` to `guest`. Must be inside a transaction.

    So nobody escapes a mute or suspension by signing in. Reports by one of the two about the other are
    dropped, as nobody reports themselves.
    """
    Measure.objects.filter(about=left).update(about=guest)
    Appeal.objects.filter(by=left).update(by=guest)
    AuditEntry.objects.hand_over(left, guest)
    _take_over_cases(left, guest)
    Report.objects.filter(reporter=left).update(reporter=guest)
    Report.objects.filter(reporter=guest, case__about=guest).delete()
    ErasureRequest.objects.filter(about=left).delete()


def _take_over_cases(left: Guest, guest: Guest) -> None:
    """Move all cases, merging two open ones into one."""
    own = Case.objects.filter(about=guest, closed_at=None).first()
    for case in Case.objects.filter(about=left, closed_at=None) if own else ():
        case.reports.update(case=own)
        case.measures.update(case=own)
        case.delete()
    Case.objects.filter(about=left).update(about=guest)


GONE = "[deleted player]"
"""Not translated, as it replaces names in texts of any language."""
_TEXTS = (
    (Report, "text", "case"),
    (Report, "quote", "case"),
    (Measure, "reason", "case"),
    (Appeal, "text", "measure__case"),
    (Appeal, "answer", "measure__case"),
    (ErasureRequest, "reason", None),
    (AuditEntry, "reason", None),
    (Ruling, "reason", None),
    (Correction, "reason", None),
)
"""The texts written by or to staff: model, field, and the lookup of its case."""


def redact(guest: Guest, names: Iterable[str]) -> None:
    """Replace the names, as whole words, with `GONE` in all texts.

    The affected cases are logged for staff, as only a person can see whether the rest of a text identifies
    somebody.
    """
    wanted = pattern_of(names)
    if wanted is None:
        return
    cases = {number for model, field, way in _TEXTS for number in _redact(model, field, way, wanted)}
    others = Case.objects.filter(pk__in=cases).exclude(about=guest).order_by("pk")
    if found := list(others.values_list("pk", flat=True)):
        AuditEntry.objects.create(
            key=f"redaction.{guest.pk}", act="redaction", data={"cases": found}, at=clock.now()
        )


def _redact(model: type[Model], field: str, way: str | None, wanted: "re.Pattern[str]") -> Iterator[int]:
    """Redact a field in all rows, and yield the case numbers of those that had a name."""
    rows: QuerySet[Model] = model._default_manager.exclude(**{field: ""})
    for number, text, case in list(rows.values_list("pk", field, way or "pk")):
        clean = wanted.sub(GONE, text)[:TEXT_LENGTH]
        if clean != text:
            QuerySet.update(model._default_manager.filter(pk=number), **{field: clean})
            if way and case is not None:
                yield case
