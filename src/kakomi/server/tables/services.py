"""Whatever changes a table: opened, sat down at, added to. Nothing else writes its log."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection
from django.db.models import F
from django.utils import timezone

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest, new_token
from kakomi.server.database import writing
from kakomi.server.django_private import PreparedQuery, insert, update
from kakomi.server.exceptions import KeyReused
from kakomi.server.prefixes import fold
from kakomi.server.realtime import announce
from kakomi.server.tables import deadlines, models, selectors
from kakomi.server.tables.commands import Stale, Value
from kakomi.server.tables.deadlines import owed
from kakomi.server.tables.extensions import (
    entries_added,
    response_to,
    seat_declined,
    seat_taken,
    table_opened,
)
from kakomi.server.tables.selectors import CACHE
from kakomi.server.tables.table_request import (
    SeatAssignment,
    TableRequest,
    expect_ratable,
    expect_rated_players,
)
from kakomi.session import Entry, MatchConfig, Refused, Seat, Table, TimeControl

KEPT_OUT = lazy_message("you can’t take a seat at this table")
"""It doesn't say who has blocked whom."""
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
    if request.is_rated:  # nobody chooses to begin (RULES G1)
        secrets.SystemRandom().shuffle(sitters)
    return begin(request.config, sitters, request.control, is_rated=request.is_rated)


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


def begin(
    terms: MatchConfig,
    sitters: Sequence[Sitter],
    control: TimeControl | None = None,
    *,
    is_rated: bool = False,
    start: float | None = None,
    is_binding: bool = False,
    follows: bool = False,
) -> models.Table:
    """A new table, on disk. Raises Refused for terms and seats that don't fit together.

    `start` is the limit for first decisions, in seconds, where it isn't the usual one. On a binding table
    nobody can call the game off, and a missed limit loses it. `follows` is whether it is a rematch.
    """
    if is_rated:
        expect_ratable(terms, control, [sitter.guest for sitter in sitters])
    seats = [Seat(name=sitter.name if sitter.bot else "", bot=sitter.bot) for sitter in sitters]
    people = [sitter.guest.pk if sitter.guest else None for sitter in sitters if not sitter.bot]
    pace = control.pace if control else None
    start = deadlines.start_limit(people, pace) if start is None else start
    fixed = {"takes_back": not is_rated, "is_binding": is_binding}
    table = Table.begun(terms, seats, time=control, at=clock.now(), start=start, **fixed)
    with writing():
        row = models.Table(begun=table.to_json(), game=terms.game.name, is_rated=is_rated, pace=pace or "")
        _note(row, table, is_free=None in people)
        row.save()
        for number, sitter in enumerate(sitters):
            row.seats.create(number=number, guest=sitter.guest, name=sitter.name, bot=sitter.bot)
        table = _caught_up(row, table, table.at)
        table_opened.send(models.Table, row=row, table=table, follows=follows)
    announce(row.code, row.news, to_bots=row.waits_for_bot)
    return row


def add(
    code: str,
    entries: Sequence[tuple[str, Value]],
    *,
    seat: int | None,
    base: int,
    key: str,
    digest: str = "",
) -> Outcome:
    """Let a seat (None: the site) add entries, each a kind and a value, all of them or none.

    `base` is how many entries the sender has seen; `key` names them, and when they were added under
    that key before nothing is added again. `digest` says what was sent under the key. Raises Stale if there
    are other entries than the sender saw, KeyReused if something else was sent under the key before, Refused
    or IllegalAction for what can't be done.
    """
    with writing():
        row = _LOCKED.first(code)
        if row is None:
            raise models.Table.DoesNotExist
        before = selectors.table_of(row)
        if was_added(row, key, digest):
            return Outcome(row, before)
        at = clock.now()
        table = _caught_up(row, before, at)
        is_known = table.has_seen(base)
        if is_known:
            table = _append(row, table, entries, seat, key, at, digest)
        elif table is before:
            raise Stale
        table = _answered(row, before, table)
    _published(row, table)
    if not is_known:  # the site had something to enter first, which stays
        raise Stale
    return Outcome(row, table)


def settle(code: str) -> Table | None:
    """Enter what the site has to enter at a table by now; None if there is nothing."""
    if (found := selectors.BY_CODE.first(code)) is None:
        return None
    selectors.table_of(found)  # so that its log is played through before anybody has to wait
    with writing():
        row = _LOCKED.first(code)
        if row is None:
            return None
        before, at = selectors.table_of(row), clock.now()
        table = _caught_up(row, before, at)
        if table is before:
            return None
        table = _answered(row, before, table)
    _published(row, table)
    return table


def _published(row: models.Table, table: Table) -> None:
    """Tell of a table, once its entries are on disk for good."""
    CACHE.remember(row, table)
    announce(row.code, row.news, to_bots=row.waits_for_bot)


def _caught_up(row: models.Table, table: Table, at: float) -> Table:
    """A locked row's table after all that the site has to enter by a moment."""
    while entry := owed(row, table, at):
        table = _append(row, table, [(entry.kind, entry.value)], entry.seat, entry.key, at)
    return table


def _answered(row: models.Table, before: Table, table: Table) -> Table:
    """A locked row's table after what responders answer, until none has an answer; all are told."""
    while answer := response_to(row, table):
        table = _append(row, table, answer.entries, answer.seat, answer.key, table.at)
    added = table.history[before.entries :]
    entries_added.send(models.Table, row=row, before=before, table=table, entries=added)
    return table


def _append(
    row: models.Table,
    table: Table,
    entries: Sequence[tuple[str, Value]],
    seat: int | None,
    key: str,
    at: float,
    digest: str = "",
) -> Table:
    """Add entries to the log of a locked row, whose table is known."""
    lines = []
    for index, (kind, value) in enumerate(entries):
        table = table.apply(Entry(seat, kind, value, at))
        number, content = row.entries + 1 + index, table.history[-1].to_json()
        name = _numbered(key, index)
        lines.append(models.Entry(table=row, number=number, key=name, digest=digest, content=content))
    insert(lines)
    row.entries, row.head = row.entries + len(lines), lines[-1].key
    row.news += len(lines)
    row.claimed_until = 0.0
    was_over = row.is_over
    _note(row, table, is_free=not table.standing and _has_free_seat(row))
    update(row, _NOTED)
    if not was_over:
        _keep_shares(row, table)
    return table


def _has_free_seat(row: models.Table) -> bool:
    return row.seats.filter(guest=None, bot="").exists()


def _keep_shares(row: models.Table, table: Table) -> None:
    """Note which seats have won a match that is over; nobody has where it ended without a result.

    What a bot wins in the place of a person who left isn't theirs.
    """
    if not (table.ending and table.ending.winners):
        return
    winners = table.ending.winners
    left = {leaver.seat for leaver in table.match.current_game.leavers if leaver.has_bot}
    own = [seat for seat in winners if seat not in left] or [NO_SEAT]
    with connection.cursor() as cursor:
        cursor.execute(_SHARES.format(winners=", ".join(["%s"] * len(own))), [*own, 1 / len(winners), row.pk])


NO_SEAT = -1
"""Stands for the winners where nobody is one any more."""


_SHARES = (
    "UPDATE tables_seat SET share = CASE WHEN number IN ({winners}) THEN %s ELSE 0.0 END WHERE table_id = %s"
)


def was_added(row: models.Table, key: str, digest: str = "") -> bool:
    """Whether the entries that a key names are in the log already. Raises KeyReused if they are others."""
    known = _KEYED.first(row.pk, _numbered(key, 0))
    if known is not None and known.digest != digest:
        raise KeyReused
    return known is not None


def _numbered(key: str, number: int) -> str:
    return f"{key}:{number}"


_NOTED = (
    *("entries", "head", "news", "claimed_until", "changed_at"),
    *("to_act", "waits_for_bot", "is_over", "ended_at", "due_at", "warn_at", "plies"),
)
"""The fields of a row that an entry changes."""


def _note(row: models.Table, table: Table, *, is_free: bool = False) -> None:
    """Update the fields that queries use; `is_free` says that a seat is."""
    row.to_act = table.to_act
    waiting = (table.to_act, *(table.offer.waiting if table.offer else ()))
    row.waits_for_bot = any(table.match.seats[number].is_bot for number in waiting if number is not None)
    row.is_over = table.is_over
    row.ended_at = table.at if table.is_over else None
    row.due_at = deadlines.due_at(table, is_free=is_free)
    row.warn_at = None if is_free else deadlines.warn_at(row, table)
    row.plies = sum(game.position.ply for game in table.match.games)


def sit_down(seat: models.Seat, guest: Guest) -> bool:
    """Give a free seat to a guest. Returns False if it has been taken.

    Raises Refused where somebody sits whom the guest has blocked, or who has blocked them.
    """
    free = models.Seat.objects.filter(pk=seat.pk, guest=None, bot="")
    with writing():
        row = models.Table.objects.select_for_update().get(pk=seat.table_id)
        if selectors.is_kept_out(row, guest):
            raise Refused(KEPT_OUT)
        if row.is_rated:
            expect_rated_players([guest, *Guest.objects.filter(seats__table=row)])
        table = selectors.table_of(row)
        if (
            table.standing
            or table.is_over
            or not free.update(guest=guest, name=guest.name, name_folded=fold(guest.name))
        ):
            return False
        seat.table, seat.guest, seat.name = row, guest, guest.name
        row.news = _count_news(row.pk)
        table = _seated(row)
        seat_taken.send(models.Table, row=row, seat=seat, guest=guest)
    CACHE.remember(row, table)
    announce(row.code, row.news, to_bots=True)
    return True


def decline(seat: models.Seat, reason: str) -> None:
    """Let whoever is invited to a free seat decline it. Raises Refused, saying why it can't be declined.

    `reason` is one of `session.ABORTS` for those who decline. Where nobody else is missing the table ends by
    that; else it goes on waiting, and the seat has another invitation.
    """
    if not reason.startswith("declined"):
        raise Refused(lazy_message("There is no such reason: choose one of those offered."))
    with writing():
        row = models.Table.objects.select_for_update().get(pk=seat.table_id)
        before, at = selectors.table_of(row), clock.now()
        table = _caught_up(row, before, at)
        free = row.seats.filter(guest=None, bot="")
        if why_not := selectors.why_not_declined(table, seat):
            raise Refused(why_not)
        if row.seats.filter(bot="").count() > 2:
            free.filter(pk=seat.pk).update(invitation=new_token())
            row.news = _count_news(row.pk)
        else:
            table = _append(row, table, [("abort", reason)], seat.number, "declined", at)
            table = _answered(row, before, table)
        seat_declined.send(models.Table, row=row, seat=seat, reason=reason)
    _published(row, table)


def _seated(row: models.Table) -> Table:
    """A locked row's table after somebody sat down: if it is the last one, the time to start begins."""
    before, at = selectors.table_of(row), clock.now()
    if _has_free_seat(row):
        return before
    table = _append(row, before, [("seated", None)], None, "seated", at) if row.due_at else before
    return _caught_up(row, table, at)


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
        if selectors.has_parted(row, guest):
            raise Refused(lazy_message("there is no rematch of this game"))
        row.seats.filter(guest=guest).update(wants_rematch=True)
        seats = list(row.seats.select_related("guest"))
        if all(seat.wants_rematch or seat.bot for seat in seats):
            sitters = [Sitter(seat.guest, seat.bot, seat.name) for seat in seats]
            row.successor = begin(
                table.match.config,
                [*sitters[1:], sitters[0]],
                table.time,
                is_rated=row.is_rated,
                follows=True,
            )
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
        _keep_shares(row, table)
    row.save(update_fields=["listed_at", "plies"])


def tell_viewers(tables: Sequence[int]) -> None:
    """Have all viewers of some tables look again, as something beside their logs has changed."""
    told = models.Table.objects.filter(pk__in=tables)
    with writing():
        numbers = told.select_for_update().order_by("pk").values_list("pk", flat=True)
        list(numbers)  # locked in one order, so that nobody waits in a ring
        told.update(news=F("news") + 1)
    for code, news in told.values_list("code", "news"):
        announce(code, news)


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
