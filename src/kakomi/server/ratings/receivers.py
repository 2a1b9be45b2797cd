"""What the ledger hears of tables, inside the transaction that ends a match."""

from collections.abc import Iterable
from typing import Any

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.ratings import recording, selectors
from kakomi.server.tables import models as tables
from kakomi.session import Refused, Table, TimeControl

SUSPENDED = lazy_message(
    "after several time-outs in succession one begins no rated games over days for two weeks: "
    "play a casual one meanwhile"
)


def hear_of_opening(row: tables.Table, table: Table, **_named: Any) -> None:
    """Let nobody begin a rated game who is suspended. Raises Refused."""
    if row.is_rated and table.time:
        guests = row.seats.filter(guest__isnull=False).values_list("guest", flat=True)
        _expect_not_suspended(guests, table.time)


def hear_of_sitter(row: tables.Table, guest: Guest, **_named: Any) -> None:
    """The same for somebody who sits down."""
    if row.is_rated:
        _expect_not_suspended([guest.pk], TimeControl.from_json(row.begun["time"]))


def _expect_not_suspended(guests: Iterable[int | None], control: TimeControl) -> None:
    if any(guest and selectors.is_suspended(guest, control.pace) for guest in guests):
        raise Refused(SUSPENDED)


def hear_of_entries(row: tables.Table, before: Table, table: Table, **_named: Any) -> None:
    """Write the result of a rated match with the entry that ends it."""
    if row.is_rated and table.is_over and not before.is_over:
        recording.record_result(row, table)
