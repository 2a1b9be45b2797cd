"""Queries for tables, a cache of replayed tables, and records of games under their players' current names."""

import threading
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from cachetools import LRUCache
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import Http404
from msgspec.structs import replace

from kakomi import records
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import is_kept_from
from kakomi.server.site.database import once_written
from kakomi.server.site.django_private import PreparedQuery
from kakomi.server.tables import models
from kakomi.server.tables.listings import ListQuery, Page
from kakomi.session import Entry, MatchGame, Table
from kakomi.session.record import record_of

DECIDED = 200
"""The most finished tables from which somebody's level is estimated."""
NEWCOMER_GAMES = 3
"""The number of finished games after which somebody is no longer a newcomer to a game."""
MOST_WAITING = 500
"""The most waiting tables that "next game" goes through."""
REMEMBERED = 100_000
"""Positions to cache. A table keeps one for every entry, for takebacks, of 1 to 5 kB each."""


class _Known(NamedTuple):
    head: str
    """The key of the table's last entry. It identifies the whole log, even after a database was restored."""
    table: Table


class TableCache:
    """The tables used most recently. A cached table is used only while its row has the same last entry."""

    def __init__(self, most: int = REMEMBERED) -> None:
        """`most` limits the total number of positions of all tables."""
        self._tables: LRUCache[str, _Known] = LRUCache(most, getsizeof=_positions)
        self._lock = threading.Lock()

    @property
    def positions(self) -> int:
        """The total number of cached positions."""
        return int(self._tables.currsize)

    def table_of(self, row: models.Table) -> Table:
        """The table after the entries counted by its row."""
        with self._lock:
            known = self._tables.get(row.code)
        if known is None or known.head != row.head:
            known = _Known(row.head, _gone_on(known, row) or replayed_table(row))
            self.remember(row, known.table)
        return known.table

    def remember(self, row: models.Table, table: Table) -> None:
        """Cache a table, unless it is too large, once its entries are committed."""
        once_written(partial(self._keep, row.code, _Known(row.head, table)))

    def _keep(self, code: str, known: _Known) -> None:
        with self._lock, suppress(ValueError):
            self._tables[code] = known


def _positions(known: _Known) -> int:
    return known.table.entries + 1


def _gone_on(known: _Known | None, row: models.Table) -> Table | None:
    """The cached table with the later entries added; None if the log doesn't continue it."""
    if known is None or not 0 < known.table.entries < row.entries:
        return None
    later = row.log.filter(number__gte=known.table.entries, number__lte=row.entries)
    lines = list(later.order_by("number").values_list("key", "content"))
    if lines[0][0] != known.head:
        return None
    return _after(known.table, [content for _, content in lines[1:]])


def replayed_table(row: models.Table) -> Table:
    """The table, replayed from its beginning without caching it, for callers that go through many."""
    lines = _LOG.rows(row.pk, row.entries)
    return _after(Table.from_json(row.begun), [line.content for line in lines])


def _after(table: Table, contents: list[object]) -> Table:
    for content in contents:
        table = table.apply(Entry.from_json(content))
    return table


CACHE = TableCache()
"""The cache of this process."""


_LOG = PreparedQuery(
    lambda table, entries: (
        models.Entry.objects.filter(table=table).filter(number__lte=entries).order_by("number")
    )
)
BY_CODE = PreparedQuery(lambda code: models.Table.objects.filter(code=code))
_SEATS = PreparedQuery(lambda table: models.Seat.objects.select_related("guest").filter(table=table))
_FINISHED = PreparedQuery(
    lambda game, guest: (
        models.Table.objects.filter(game=game, seats__guest=guest, seats__share__isnull=False)
        .only("pk")
        .distinct()[:NEWCOMER_GAMES]
    )
)


def find_table(code: str) -> models.Table:
    """The table with a code, which anybody who has the code may see. Raises Http404 if there is none."""
    row = BY_CODE.first(code)
    if row is None:
        raise Http404(lazy_message("Game not found. It may have been deleted, or the link is incomplete."))
    return row


def tables_numbered(number: int) -> "QuerySet[models.Table]":
    """The table with a number. Numbers can be guessed, so the caller must check who may see the table."""
    return models.Table.objects.filter(pk=number - models.NUMBERS_BEFORE)


def table_of(row: models.Table) -> Table:
    """The table after the entries counted by its row, from the cache if possible."""
    return CACHE.table_of(row)


def seats_of(row: models.Table) -> list[models.Seat]:
    """The seats of a table with their guests."""
    seats = _SEATS.rows(row.pk)
    for seat in seats:
        seat.table = row
    return seats


def invited_seat(invitation: str) -> models.Seat | None:
    """The seat that an invitation is for, with its table."""
    return models.Seat.objects.select_related("table").filter(invitation=invitation).first()


def why_not_declined(table: Table, seat: models.Seat) -> str:
    """Why an invitation can no longer be declined; empty if it can. `seat` may be out of date."""
    if table.abort and table.abort.seat == seat.number:
        return lazy_message("This invitation has already been declined.")
    if table.is_over:
        return lazy_message("This game is over.")
    if table.last_relevant_entry:
        return lazy_message("The game has started: it’s too late to decline.")
    now = models.Seat.objects.get(pk=seat.pk)
    if now.guest_id is not None or now.bot:
        return lazy_message("This seat has been taken.")
    if now.invitation != seat.invitation:
        return lazy_message("This invitation has already been declined.")
    return ""


def is_kept_out(row: models.Table, guest: Guest) -> bool:
    """Whether somebody at a table has blocked a guest or was blocked by them."""
    return is_kept_from(guest, row.seats.values_list("guest", flat=True))


def has_parted(row: models.Table, guest: Guest) -> bool:
    """Whether a guest can't play with the people of a table again: one of them is erased or blocked."""
    sitting = list(row.seats.filter(bot="").values_list("guest", "guest__is_erased"))
    is_gone = any(number is None or is_erased for number, is_erased in sitting)
    return is_gone or is_kept_from(guest, [number for number, _ in sitting])


def tables_of(guest: Guest, *, is_over: bool) -> "QuerySet[models.Table]":
    """The tables at which a guest sits and which they haven't deleted, the most recently changed first.

    Games that were aborted don't count as over: they were never played.
    """
    seats = models.Seat.objects.filter(guest=guest, is_hidden=False)
    seats = seats.filter(share__isnull=False) if is_over else seats
    tables = models.Table.objects.filter(pk__in=seats.values("table"), is_over=is_over)
    return tables.order_by("-changed_at").prefetch_related("seats__guest")


def waiting_tables(guest: Guest) -> "QuerySet[models.Table]":
    """The tables with all seats taken at which a guest is to act: by deadline, then those without one in
    order of their last change."""
    seats = models.Seat.objects.filter(guest=guest, is_hidden=False, number=F("table__to_act"))
    free = models.Seat.objects.filter(table=OuterRef("pk"), guest=None, bot="")
    tables = models.Table.objects.filter(~Exists(free) | Q(entries__gt=0), is_over=False)
    tables = tables.filter(pk__in=seats.values("table"))
    return tables.order_by(F("due_at").asc(nulls_last=True), "changed_at", "pk")


def next_waiting(guest: Guest, after: str) -> models.Table | None:
    """The table after another one in the cycle of those that wait for a guest; None if no other waits."""
    codes = list(waiting_tables(guest).values_list("code", flat=True)[:MOST_WAITING])
    place = codes.index(after) + 1 if after in codes else 0
    following = [code for code in [*codes[place:], *codes[:place]] if code != after]
    return models.Table.objects.get(code=following[0]) if following else None


def listed_tables(query: ListQuery) -> Page[models.Table]:
    """A page of the publicly listed tables, with their seats and guests."""
    return query.page(models.Table.objects.prefetch_related("seats__guest"))


def first_finished(guest: Guest | None, game: str) -> list[models.Table]:
    """At most `NEWCOMER_GAMES` tables at which somebody has finished a game; only their keys are loaded.

    Whoever has fewer is a newcomer to the game.
    """
    return [] if guest is None else _FINISHED.rows(game, guest.pk)


def decided_tables(guest: Guest) -> "list[models.Table]":
    """The last `DECIDED` tables with a result at which a guest sat, with their seats, the oldest first."""
    seats = models.Seat.objects.filter(guest=guest, share__isnull=False)
    tables = models.Table.objects.filter(pk__in=seats.values("table"), is_over=True)
    return list(tables.order_by("-changed_at").prefetch_related("seats")[:DECIDED])[::-1]


def deleted_table(code: str, guest: Guest) -> models.Table | None:
    """A table that a guest has removed from their list."""
    return models.Table.objects.filter(code=code, seats__guest=guest, seats__is_hidden=True).first()


def correspondence_tables(guest: int) -> "QuerySet[models.Table]":
    """The running correspondence games of a guest, given by primary key."""
    return models.Table.objects.filter(is_over=False, pace="days", seats__guest=guest).distinct()


GONE = "deleted player"
"""The name of an erased person. Records are for programs, so it isn't translated."""


def record_at(row: models.Table, leg: MatchGame, table: Table | None = None) -> records.Record:
    """The record of a game of a table's match. Raises Refused before komi and colours are settled.

    `table` is the row's table, if the caller has it. People's names come from the seats, as neither the terms
    nor the log contain any.
    """
    table = table or table_of(row)
    record = record_of(table.match, leg, date=row.created_at.date().isoformat())
    seats, players = seats_of(row), leg.players or ()
    sitting = [seats[players.index(player)] for player in range(len(record.seats))]
    named = zip(record.seats, sitting, strict=True)
    return replace(record, seats=tuple(replace(seat, name=_name(row, seat.name)) for seat, row in named))


def _name(seat: models.Seat, kept: str) -> str:
    if seat.bot:
        return kept
    is_gone = seat.guest.is_erased if seat.guest else not seat.is_free
    name = GONE if is_gone else seat.guest.display_name if seat.guest else ""
    return records.tidy_line(name)
