"""Tables in the database: begun, looked at, and added to, each deed exactly once."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.database import Prepared, insert, update, writing
from kakomi.server.realtime import announce
from kakomi.server.tables import models
from kakomi.server.tables.cache import CACHE
from kakomi.session import Entry, MatchConfig, Refused, Seat, Table, TimeControl

_LOCKED = Prepared(lambda code: models.Table.objects.select_for_update().filter(code=code))
_KEYED = Prepared(lambda table, key: models.Entry.objects.filter(table=table).filter(key=key))


class Stale(Refused):
    """Somebody acted on what they saw, and meanwhile something else happened."""

    def __init__(self) -> None:
        super().__init__(lazy_message("the game has gone on meanwhile: look again, then act"))


@dataclass(frozen=True)
class Sitter:
    """Who is to sit in a seat: a guest, a bot, or (neither) whoever follows the invitation."""

    guest: Guest | None = None
    bot: str = ""
    name: str = ""


def begin(terms: MatchConfig, sitters: Sequence[Sitter], control: TimeControl | None = None) -> models.Table:
    """A new table, on disk. Raises Refused for terms and seats that don't fit together."""
    seats = [Seat(name=sitter.name, bot=sitter.bot) for sitter in sitters]
    table = Table.begun(terms, seats, time=control, at=time.time())
    with writing():
        row = models.Table(begun=table.to_json(), game=terms.game.name)
        _note(row, table)
        row.save()
        for number, sitter in enumerate(sitters):
            row.seats.create(number=number, guest=sitter.guest, name=sitter.name, bot=sitter.bot)
    announce(row.code, row.news, to_bots=row.waits_for_bot)
    return row


def table_of(row: models.Table) -> Table:
    """The table as it stands after the entries that the row knows of."""
    return CACHE.table_of(row)


def add(
    code: str, deeds: Sequence[tuple[str, Any]], *, seat: int | None, base: int, key: str
) -> tuple[models.Table, Table]:
    """Let a seat (None: the site) do some deeds, each a kind and a value, all of them or none.

    `base` is how many entries the sender has seen; `key` names the deeds, and when they were added under
    that key before nothing is added again. Raises Stale if there are other entries than the sender saw,
    Refused or IllegalAction for what can't be done.
    """
    with writing():
        row = _LOCKED.first(code)
        if row is None:
            raise models.Table.DoesNotExist
        if was_added(row, key):
            return row, table_of(row)
        if row.entries != base:
            raise Stale
        table = table_of(row)
        lines = []
        for number, (kind, value) in enumerate(deeds):
            entry = Entry(seat, kind, value, time.time())
            table = table.carry_out(entry)
            lines.append(
                models.Entry(
                    table=row, number=base + 1 + number, key=_numbered(key, number), content=entry.to_json()
                )
            )
        insert(lines)
        row.entries, row.head = base + len(lines), lines[-1].key
        row.news += len(lines)
        row.claimed_until = 0.0
        _note(row, table)
        update(row, _NOTED)
    CACHE.remember(row, table)
    announce(row.code, row.news, to_bots=row.waits_for_bot)
    return row, table


def was_added(row: models.Table, key: str) -> bool:
    """Whether the deeds that a key names are in the log already."""
    return _KEYED.first(row.pk, _numbered(key, 0)) is not None


def sit_down(seat: models.Seat, guest: Guest) -> bool:
    """Give a free seat to a guest; False if somebody else was quicker."""
    free = models.Seat.objects.filter(pk=seat.pk, guest=None, bot="")
    with writing():
        if not free.update(guest=guest, name=guest.name):
            return False
        news = _stirred(seat.table_id)
    seat.guest, seat.name = guest, guest.name
    announce(seat.table.code, news, to_bots=True)
    return True


def stir(row: models.Table) -> None:
    """Let everybody who watches look again: something beside the log has changed."""
    with writing():
        row.news = _stirred(row.pk)
    announce(row.code, row.news)


def _stirred(table: int) -> int:
    known = models.Table.objects.filter(pk=table)
    known.update(news=F("news") + 1)
    return known.values_list("news", flat=True).get()


def _numbered(key: str, number: int) -> str:
    return f"{key}:{number}"


_NOTED = (
    *("entries", "head", "news", "claimed_until", "changed_at"),
    *("to_act", "waits_for_bot", "is_over", "due_at"),
)
"""What an entry changes of a row."""


def _note(row: models.Table, table: Table) -> None:
    """Keep beside the log what tables are searched for by."""
    seat = table.to_act
    row.to_act = seat
    asked = table.offer.waiting if table.offer else ()
    row.waits_for_bot = any(
        table.match.seats[number].is_bot for number in (seat, *asked) if number is not None
    )
    row.is_over = table.is_over
    row.due_at = table.next_due()
