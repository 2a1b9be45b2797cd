"""What people hear of vacations: their own, and those of whom they play over days.

A job tells it by the moment. All processes do this, each under the vacation's lock.
"""

from django.db.models import F, QuerySet
from django.urls import reverse

from kakomi.server import clock
from kakomi.server.database import writing
from kakomi.server.job_questions import works_on
from kakomi.server.notices.services import notify
from kakomi.server.rests.models import Vacation
from kakomi.server.rests.selectors import DAY, allowance_left
from kakomi.server.tables.models import Seat, Table
from kakomi.server.tables.selectors import tables_beside
from kakomi.server.tables.services import tell_viewers

ENDING_SECONDS = DAY
"""So long before its end one hears of it, if the vacation is longer than twice as long."""
FOLLOWING_SECONDS = 60.0
"""Vacations that lie no further apart are one for those who hear of them."""
LOW = 3 * DAY
"""Seconds of vacation: who has no more left is told."""
_BATCH = 200


@works_on(lambda now: Vacation.objects.filter(tell_at__lte=now))
def tell_vacations() -> None:
    """Tell of vacations that begin, end soon or end."""
    due = Vacation.objects.filter(tell_at__lte=clock.now()).order_by("tell_at")
    for known in due[:_BATCH]:
        # News are counted before anybody notes that they were told, so a process that dies in between leaves
        # no page behind. No row may be locked here: whoever holds a table's may wait for its guest's rests.
        tell_viewers(list(tables_beside(known.guest_id).values_list("pk", flat=True)))
        with writing():
            vacation = Vacation.objects.select_for_update().filter(pk=known.pk).first()
            if vacation and vacation.tell_at is not None and vacation.tell_at <= (now := clock.now()):
                _tell_what_is_due(vacation, now)


def _tell_what_is_due(vacation: Vacation, now: float) -> None:
    """Tell what is true by now, and note what comes next; what has passed meanwhile is left out."""
    has_begun, vacation.has_begun = vacation.has_begun, True
    ending, over = vacation.end - ENDING_SECONDS, vacation.end
    if vacation.is_automatic:  # the next day may begin by itself where this one ends
        over += FOLLOWING_SECONDS
    if now >= over:
        vacation.tell_at = None
    elif now < ending and ending - vacation.start > ENDING_SECONDS:
        vacation.tell_at = ending
    else:
        vacation.tell_at = over
    vacation.save(update_fields=["tell_at", "has_begun"])
    if now < vacation.end and not has_begun:
        _tell_of_beginning(vacation, now)
    elif not _goes_on(vacation):
        _tell(vacation, "rest_ended" if now >= over else "rest_ending")


def _tell_of_beginning(vacation: Vacation, now: float) -> None:
    """Opponents hear at once that a vacation begins, and its guest where it began by itself or leaves few
    more."""
    left = allowance_left(vacation.guest, now)
    if left < LOW <= left + vacation.end - vacation.start or left < 1:
        _tell(vacation, "vacation_low", days=left / DAY)
    if vacation.is_automatic:
        _tell(vacation, "vacation_begun", until=vacation.end)
    _tell_opponents(vacation)


def _tell_opponents(vacation: Vacation) -> None:
    """Each of them hears of the games that wait longer now; where none does, of the one changed last."""
    beside = Seat.objects.filter(table__in=tables_beside(vacation.guest_id)).exclude(guest=vacation.guest_id)
    seats = beside.filter(guest__isnull=False).select_related("table").order_by("table__changed_at")
    waiting, tables = set(_waiting(vacation)), dict[int, list[Table]]()
    for seat in seats:
        tables.setdefault(seat.guest_id or 0, []).append(seat.table)
    data = {"until": vacation.end}
    for opponent, rows in tables.items():
        for row in waiting.intersection(rows) or rows[-1:]:
            key = f"{vacation.pk}.{row.pk}"
            notify(opponent, "opponent_rests", key, data, table=row, about=vacation.guest)


def _waiting(vacation: Vacation) -> "QuerySet[Table]":
    """The games over days in which its guest is to act, the one first in which there is least time."""
    own = {"seats__guest": vacation.guest_id, "seats__number": F("to_act")}
    return Table.objects.filter(is_over=False, pace="days", **own).order_by("due_at")


def _tell(vacation: Vacation, kind: str, **data: float) -> None:
    row, said = _waiting(vacation).first(), {**data, "address": reverse("rests")}
    notify(vacation.guest, kind, f"{vacation.pk}", said, table=row)


def _goes_on(vacation: Vacation) -> bool:
    """Whether another vacation begins where this one ends."""
    following = Vacation.objects.filter(guest=vacation.guest_id, end__gt=vacation.end)
    return following.filter(start__lte=vacation.end + FOLLOWING_SECONDS).exists()
