"""Records of games at tables, with the names that their players go by now."""

from msgspec.structs import replace

from kakomi import records
from kakomi.server.tables import models, selectors
from kakomi.session import MatchGame, Table
from kakomi.session.record import record_of

GONE = "deleted player"
"""The name of who has been erased. Records are for programs, so it is not translated."""


def record_at(row: models.Table, leg: MatchGame, table: Table | None = None) -> records.Record:
    """The record of a game of a table's match. Raises Refused before komi and colours are settled.

    `table` is what the row stands for, if that is known.
    Names are those of the seats: neither the terms nor the log of a table know any of people.
    """
    table = table or selectors.table_of(row)
    record = record_of(table.match, leg, date=row.created_at.date().isoformat())
    seats, players = selectors.seats_of(row), leg.players or ()
    sitting = [seats[players.index(player)] for player in range(len(record.seats))]
    named = zip(record.seats, sitting, strict=True)
    return replace(record, seats=tuple(replace(seat, name=_name(row, seat.name)) for seat, row in named))


def _name(seat: models.Seat, kept: str) -> str:
    if seat.bot:
        return kept
    is_gone = seat.guest.is_erased if seat.guest else not seat.is_free
    name = GONE if is_gone else seat.guest.called if seat.guest else ""
    return records.tidy_line(name)
