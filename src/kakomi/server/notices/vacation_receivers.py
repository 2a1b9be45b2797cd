"""What people hear of vacations: their own, and those of whom they play over days."""

from django.urls import reverse

from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.notices.services import notify
from kakomi.server.rests.models import Vacation
from kakomi.server.rests.selectors import DAY, allowance_left
from kakomi.server.tables.models import Seat
from kakomi.server.tables.selectors import tables_beside

LOW = 3 * DAY
"""Seconds of vacation: who has no more left is told."""


def hear_of_beginning(vacation: Vacation, *, is_one_more: bool, **_: object) -> None:
    """A vacation begins: opponents hear of it, and its guest where it began by itself or leaves few more."""
    guest = vacation.guest
    left = allowance_left(guest, clock.now())
    if left < LOW <= left + vacation.end - vacation.start or left < 1:
        _tell(guest, "vacation_low", vacation, days=left / DAY)
    if is_one_more:
        return
    if vacation.is_automatic:
        _tell(guest, "vacation_begun", vacation, until=vacation.end)
    _tell_opponents(vacation)


def _tell_opponents(vacation: Vacation) -> None:
    """Each of them once, with the game that was changed last."""
    beside = Seat.objects.filter(table__in=tables_beside(vacation.guest_id)).exclude(guest=vacation.guest_id)
    seats = beside.filter(guest__isnull=False).select_related("table").order_by("table__changed_at")
    data = {"name": str(vacation.guest), "until": vacation.end}
    for opponent, table in {seat.guest_id: seat.table for seat in seats}.items():
        assert opponent is not None
        notify(opponent, "opponent_rests", f"{vacation.pk}", data, table=table)


def hear_of_nearing_end(vacation: Vacation, **_: object) -> None:
    """A vacation ends soon."""
    _tell(vacation.guest, "rest_ending", vacation)


def hear_of_end(vacation: Vacation, **_: object) -> None:
    """A vacation has ended."""
    _tell(vacation.guest, "rest_ended", vacation)


def _tell(guest: Guest, kind: str, vacation: Vacation, **data: float) -> None:
    notify(guest, kind, f"{vacation.pk}", {**data, "address": reverse("rests")})
