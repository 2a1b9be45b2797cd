"""What moderation hears of tables and people, inside the transaction of the cause."""

from collections.abc import Collection
from typing import Any

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.moderation.models import AuditEntry
from kakomi.server.moderation.redaction import redact
from kakomi.server.moderation.restrictions import expect_free, kept_from_people, why_kept
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
