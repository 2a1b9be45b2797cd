"""Notices about vacations, to their owners and to the opponents in their correspondence games.

A periodic job, which runs in all processes, writes them under a lock on the vacation.
"""

from django.db.models import F, QuerySet
from django.urls import reverse

from kakomi.server.notices.services import notify
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.site.jobs import has_work_in
from kakomi.server.tables.models import Seat, Table, Vacation
from kakomi.server.tables.selectors import correspondence_tables
from kakomi.server.tables.services import tell_viewers
from kakomi.server.tables.vacations import DAY, allowance_left

ENDING_SECONDS = DAY
"""Seconds before its end at which a vacation's owner is told, if it is more than twice as long."""
FOLLOWING_SECONDS = 60.0
"""Vacations no further apart than this count as one."""
LOW = 3 * DAY
"""A person with less vacation left than this, in seconds, is told."""
_BATCH = 200


@has_work_in(lambda now: Vacation.objects.filter(tell_at__lte=now))
def tell_vacations() -> None:
    """Write the notices that are due about vacations beginning, ending soon, or over."""
    due = Vacation.objects.filter(tell_at__lte=clock.now()).order_by("tell_at")
    for known in due[:_BATCH]:
        # Refresh viewers' pages before recording the vacation as handled, so that a process dying in between
        # leaves no page stale. Lock no row here: a holder of a table's lock may wait for its guest's row.
        tell_viewers(list(correspondence_tables(known.guest_id).values_list("pk", flat=True)))
        with writing():
            vacation = Vacation.objects.select_for_update().filter(pk=known.pk).first()
            if vacation and vacation.tell_at is not None and vacation.tell_at <= (now := clock.now()):
                _tell_what_is_due(vacation, now)


def _tell_what_is_due(vacation: Vacation, now: float) -> None:
    """Write the notice that is due, skipping outdated ones, and set the time of the next."""
    has_begun, vacation.has_begun = vacation.has_begun, True
    ending, over = vacation.end - ENDING_SECONDS, vacation.end
    if vacation.is_automatic:  # another automatic day may follow directly
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
    """Tell opponents that a vacation begins, and its owner if it began automatically or leaves few days."""
    left = allowance_left(vacation.guest, now)
    if left < LOW <= left + vacation.end - vacation.start or left < 1:
        _tell(vacation, "vacation_low", days=left / DAY)
    if vacation.is_automatic:
        _tell(vacation, "vacation_begun", until=vacation.end)
    _tell_opponents(vacation)


def _tell_opponents(vacation: Vacation) -> None:
    """Tell each opponent about the games that now wait, or if none does, about the one changed last."""
    opponents = Seat.objects.filter(table__in=correspondence_tables(vacation.guest_id)).exclude(
        guest=vacation.guest_id
    )
    seats = opponents.filter(guest__isnull=False).select_related("table").order_by("table__changed_at")
    waiting, tables = set(_waiting(vacation)), dict[int, list[Table]]()
    for seat in seats:
        tables.setdefault(seat.guest_id or 0, []).append(seat.table)
    data = {"until": vacation.end}
    for opponent, rows in tables.items():
        for row in waiting.intersection(rows) or rows[-1:]:
            key = f"{vacation.pk}.{row.pk}"
            notify(opponent, "opponent_rests", key, data, table=row, about=vacation.guest)


def _waiting(vacation: Vacation) -> "QuerySet[Table]":
    """The correspondence games in which the owner is to act, shortest deadline first."""
    own = {"seats__guest": vacation.guest_id, "seats__number": F("to_act")}
    return Table.objects.filter(is_over=False, pace="days", **own).order_by("due_at")


def _tell(vacation: Vacation, kind: str, **data: float) -> None:
    row, values = _waiting(vacation).first(), {**data, "address": reverse("time_off")}
    notify(vacation.guest, kind, f"{vacation.pk}", values, table=row)


def _goes_on(vacation: Vacation) -> bool:
    """Whether another vacation follows directly."""
    following = Vacation.objects.filter(guest=vacation.guest_id, end__gt=vacation.end)
    return following.filter(start__lte=vacation.end + FOLLOWING_SECONDS).exists()
