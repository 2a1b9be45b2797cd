"""What moderation does when tables open, people sit down, guests become users or people are erased.

The names of an erased person are taken out of what others wrote to staff.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from django.db.models import Model, QuerySet

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
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
from kakomi.server.moderation.restrictions import expect_free, kept_from_people, why_kept
from kakomi.server.ratings.models import Correction, Ruling
from kakomi.server.tables import models as tables
from kakomi.session import Refused

KEPT_APART = lazy_message(
    "This game can’t begin now: one of its players begins no games with others at present."
)


def hear_of_opening(row: tables.Table, **_named: Any) -> None:
    """Let nobody begin a game with others, or a rated one, who may not for now. Raises Refused."""
    seats = list(row.seats.all())
    people = {seat.guest_id for seat in seats if seat.guest_id is not None}
    is_alone = len(people) == 1 and all(seat.bot or seat.guest_id for seat in seats)
    if is_alone and not row.is_rated:
        return
    if kept := kept_from_people(people):
        raise Refused(why_kept(next(iter(kept.values()))) if len(people) == 1 else KEPT_APART)


def hear_of_sitter(row: tables.Table, guest: Guest, **_named: Any) -> None:
    """The same for somebody who sits down; those who wait there may have been suspended meanwhile."""
    expect_free(guest)
    others = row.seats.exclude(guest=None).exclude(guest=guest).values_list("guest", flat=True)
    if kept_from_people(number for number in others if number is not None):
        raise Refused(KEPT_APART)


def hear_of_erasure(guest: Guest, names: Collection[str], **_named: Any) -> None:
    """Leave no words about an erased person in the log of what staff did."""
    AuditEntry.objects.forget(guest)
    redact(guest, names)


def take_over_standing(*, left: Guest, guest: Guest, **_: object) -> None:
    """Give a guest all that staff know and have decided of another one. Must be inside a transaction.

    So nobody leaves a mute or a suspension behind by signing in. What one of the two has reported of the
    other is dropped: nobody reports themselves.
    """
    Measure.objects.filter(about=left).update(about=guest)
    Appeal.objects.filter(by=left).update(by=guest)
    AuditEntry.objects.hand_over(left, guest)
    _take_over_cases(left, guest)
    Report.objects.filter(reporter=left).update(reporter=guest)
    Report.objects.filter(reporter=guest, case__about=guest).delete()
    ErasureRequest.objects.filter(about=left).delete()


def _take_over_cases(left: Guest, guest: Guest) -> None:
    """Of two open cases one stays."""
    own = Case.objects.filter(about=guest, closed_at=None).first()
    for case in Case.objects.filter(about=left, closed_at=None) if own else ():
        case.reports.update(case=own)
        case.measures.update(case=own)
        case.delete()
    Case.objects.filter(about=left).update(about=guest)


GONE = "[deleted player]"
"""It stands in texts of people in any language, so it isn't translated."""
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
"""Where people write to staff, or staff write: the field, and the way to its case."""


def redact(guest: Guest, names: Iterable[str]) -> None:
    """Put `GONE` where a text has one of the names as a whole word.

    Staff find the cases in the log: the rest of a text may tell who it was, which only people see.
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
    """Redact a field of all rows; the numbers of the cases to which those belong that had a name."""
    rows: QuerySet[Model] = model._default_manager.exclude(**{field: ""})
    for number, text, case in list(rows.values_list("pk", field, way or "pk")):
        clean = wanted.sub(GONE, text)[:TEXT_LENGTH]
        if clean != text:
            QuerySet.update(model._default_manager.filter(pk=number), **{field: clean})
            if way and case is not None:
                yield case
