"""Takes the names of an erased person out of what others wrote to staff, and says in which cases that was."""

import re
from collections.abc import Iterable, Iterator

from django.db.models import Model, QuerySet

from kakomi.server import clock
from kakomi.server.accounts.belongings import pattern_of
from kakomi.server.accounts.models import Guest
from kakomi.server.moderation.models import (
    TEXT_LENGTH,
    Appeal,
    AuditEntry,
    Case,
    ErasureRequest,
    Measure,
    Report,
)
from kakomi.server.ratings.models import Correction, Ruling

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
