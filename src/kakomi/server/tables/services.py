"""Whatever changes a table: opened, sat down at, added to. Nothing else writes its log."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import F
from django.utils import timezone

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.django_private import PreparedQuery, insert, update
from kakomi.server.realtime import announce
from kakomi.server.tables import models, selectors
from kakomi.server.tables.commands import Value
from kakomi.server.tables.exceptions import Stale
from kakomi.server.tables.selectors import CACHE
from kakomi.server.tables.table_request import SeatAssignment, TableRequest
from kakomi.session import Entry, MatchConfig, Refused, Seat, Table, TimeControl

_LOCKED = PreparedQuery(lambda code: models.Table.objects.select_for_update().filter(code=code))
_KEYED = PreparedQuery(lambda table, key: models.Entry.objects.filter(table=table).filter(key=key))


class Outcome(NamedTuple):
    """A table after something was done there."""

    row: models.Table
    table: Table


@dataclass(frozen=True)
class Sitter:
    """The occupant of a seat: a guest, a bot, or (neither) the guest who follows the invitation."""

    guest: Guest | None = None
    bot: str = ""
    name: str = ""


def open_table(request: TableRequest, guest: Guest) -> models.Table:
    """The table that a guest asks for, on disk."""
    sitters = [_sitter(assignment, guest) for assignment in request.seats]
    return begin(request.config, sitters, request.control)


def _sitter(assignment: SeatAssignment, guest: Guest) -> Sitter:
    match assignment.kind:
        case "me":
            return Sitter(guest, name=guest.name)
        case "beside":
            return Sitter(guest)
        case "friend":
            return Sitter()
        case "bot":
            return Sitter(bot=assignment.bot, name=assignment.bot_name)


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


def add(code: str, entries: Sequence[tuple[str, Value]], *, seat: int | None, base: int, key: str) -> Outcome:
    """Let a seat (None: the site) add entries, each a kind and a value, all of them or none.

    `base` is how many entries the sender has seen; `key` names them, and when they were added under
    that key before nothing is added again. Raises Stale if there are other entries than the sender saw,
    Refused or IllegalAction for what can't be done.
    """
    with writing():
        row = _LOCKED.first(code)
        if row is None:
            raise models.Table.DoesNotExist
        if was_added(row, key):
            return Outcome(row, selectors.table_of(row))
        if row.entries != base:
            raise Stale
        table = _append(row, entries, seat, key)
    CACHE.remember(row, table)
    announce(row.code, row.news, to_bots=row.waits_for_bot)
    return Outcome(row, table)


def _append(row: models.Table, entries: Sequence[tuple[str, Value]], seat: int | None, key: str) -> Table:
    """Add entries to the log of a locked row."""
    table = selectors.table_of(row)
    lines = []
    for index, (kind, value) in enumerate(entries):
        entry = Entry(seat, kind, value, time.time())
        table = table.apply(entry)
        number, content = row.entries + 1 + index, entry.to_json()
        lines.append(models.Entry(table=row, number=number, key=_numbered(key, index), content=content))
    insert(lines)
    row.entries, row.head = row.entries + len(lines), lines[-1].key
    row.news += len(lines)
    row.claimed_until = 0.0
    was_over = row.is_over
    _note(row, table)
    update(row, _NOTED)
    if table.ending and not was_over:
        _keep_shares(row, table.ending.winners)
    return table


def _keep_shares(row: models.Table, winners: Sequence[int]) -> None:
    """Note which seats have won a match that is over."""
    row.seats.update(share=0.0)
    row.seats.filter(number__in=winners).update(share=1 / len(winners))


def was_added(row: models.Table, key: str) -> bool:
    """Whether the entries that a key names are in the log already."""
    return _KEYED.first(row.pk, _numbered(key, 0)) is not None


def _numbered(key: str, number: int) -> str:
    return f"{key}:{number}"


_NOTED = (
    *("entries", "head", "news", "claimed_until", "changed_at"),
    *("to_act", "waits_for_bot", "is_over", "due_at", "plies"),
)
"""The fields of a row that an entry changes."""


def _note(row: models.Table, table: Table) -> None:
    """Update the fields that queries use."""
    row.to_act = table.to_act
    waiting = (table.to_act, *(table.offer.waiting if table.offer else ()))
    row.waits_for_bot = any(table.match.seats[number].is_bot for number in waiting if number is not None)
    row.is_over = table.is_over
    row.due_at = table.next_due()
    row.plies = sum(game.position.ply for game in table.match.games)


def sit_down(seat: models.Seat, guest: Guest) -> bool:
    """Give a free seat to a guest. Returns False if it has been taken."""
    free = models.Seat.objects.filter(pk=seat.pk, guest=None, bot="")
    with writing():
        if not free.update(guest=guest, name=guest.name):
            return False
        news = _count_news(seat.table_id)
    seat.guest, seat.name = guest, guest.name
    announce(seat.table.code, news, to_bots=True)
    return True


def rematch(row: models.Table, guest: Guest) -> models.Table:
    """Let a player ask for a rematch: the new table once all people agree, until then the old one.

    Everybody moves on by one seat, so that somebody else begins. Raises Refused while the match goes on.
    """
    with writing():
        row = models.Table.objects.select_for_update().get(pk=row.pk)
        if row.successor is not None:
            return row.successor
        table = selectors.table_of(row)
        if not table.is_over:
            raise Refused(lazy_message("a rematch comes after the match: this one isn't over yet"))
        row.seats.filter(guest=guest).update(wants_rematch=True)
        seats = list(row.seats.select_related("guest"))
        if all(seat.wants_rematch or seat.bot for seat in seats):
            sitters = [Sitter(seat.guest, seat.bot, seat.name) for seat in seats]
            row.successor = begin(table.match.config, [*sitters[1:], sitters[0]], table.time)
            row.save(update_fields=["successor"])
        row.news = _count_news(row.pk)
    announce(row.code, row.news)
    return row.successor or row


def wish_listing(row: models.Table, guest: Guest, *, wanted: bool) -> models.Table:
    """Let a player agree that everybody finds the game in the public list, or withdraw that.

    It is listed once all people who sit there agree, and no longer once one of them withdraws.
    """
    with writing():
        row = models.Table.objects.select_for_update().get(pk=row.pk)
        row.seats.filter(guest=guest).update(wants_listing=wanted)
        _settle_listing(row)
        row.news = _count_news(row.pk)
    announce(row.code, row.news)
    return row


def _settle_listing(row: models.Table) -> None:
    """List a locked table, or take it off the list, as its people agree."""
    is_agreed = all(seat.bot or seat.wants_listing for seat in row.seats.all())
    if is_agreed == (row.listed_at is not None):
        return
    row.listed_at = timezone.now() if is_agreed else None
    if is_agreed:  # of older tables neither was kept
        table = selectors.table_of(row)
        _note(row, table)
        if table.ending:
            _keep_shares(row, table.ending.winners)
    row.save(update_fields=["listed_at", "plies"])


def _count_news(table: int) -> int:
    """Announce a change beside the log to all viewers of a table."""
    known = models.Table.objects.filter(pk=table)
    known.update(news=F("news") + 1)
    return known.values_list("news", flat=True).get()


def set_hidden(code: str, guest: Guest, *, hidden: bool) -> bool:
    """Take a game off a guest's list, or put it back; False if they don't sit there. Others keep it.

    Who no longer wants to see a game doesn't want to show it either: it leaves the public list as well.
    """
    seat = models.Seat.objects.select_related("table").filter(table__code=code, guest=guest).first()
    if seat is None:
        return False
    if hidden and seat.wants_listing:
        wish_listing(seat.table, guest, wanted=False)
    return seat.table.seats.filter(guest=guest).update(is_hidden=hidden) > 0
