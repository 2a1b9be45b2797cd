"""Changes to a table: opening it, sitting down, adding entries. Only this module writes its log."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection
from django.db.models import F
from django.utils import timezone

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, new_token
from kakomi.server.realtime import announce
from kakomi.server.site import clock
from kakomi.server.site.database import fold, writing
from kakomi.server.site.django_private import PreparedQuery, insert, update
from kakomi.server.site.exceptions import KeyReused
from kakomi.server.tables import deadlines, models, selectors
from kakomi.server.tables.commands import Stale, Value
from kakomi.server.tables.deadlines import next_site_entry
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

KEPT_OUT = lazy_message("you can’t join this game")
"""Doesn't reveal who has blocked whom."""
_LOCKED = PreparedQuery(lambda code: models.Table.objects.select_for_update().filter(code=code))
_KEYED = PreparedQuery(lambda table, key: models.Entry.objects.filter(table=table).filter(key=key))
NO_SEAT = -1
"""A seat number that matches no row, for matches that only replacement bots won."""
_SHARES = (
    "UPDATE tables_seat SET share = CASE WHEN number IN ({winners}) THEN %s ELSE 0.0 END WHERE table_id = %s"
)
DERIVED_FIELDS = (
    *("entries", "head", "news", "claimed_until", "changed_at"),
    *("to_act", "waits_for_bot", "is_over", "ended_at", "due_at", "warn_at", "plies"),
)
"""The fields of a row that an entry changes."""


class TableChange(NamedTuple):
    """A table after a change."""

    row: models.Table
    table: Table


RATED_IS_PUBLIC = lazy_message("Rated games are public.")


@dataclass(frozen=True)
class Sitter:
    """The occupant of a seat: a guest, a bot, or (neither) the guest who follows the invitation."""

    guest: Guest | None = None
    bot: str = ""
    name: str = ""


def open_table(request: TableRequest, guest: Guest) -> models.Table:
    """Create and save the table that a guest requests."""
    sitters = [_sitter(assignment, guest) for assignment in request.seats]
    if request.is_rated:  # players can't choose who begins (RULES G1)
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
    """Create and save a table. Raises Refused for terms and seats that don't fit together.

    `start` is the limit for first decisions, in seconds, if it isn't the usual one. At a binding table
    nobody can abort the game, and missing the limit loses it. `follows` says whether it is a rematch.
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
        update_derived_fields(row, table, is_free=None in people)
        row.save()
        for number, sitter in enumerate(sitters):
            row.seats.create(number=number, guest=sitter.guest, name=sitter.name, bot=sitter.bot)
        _show_by_default(row, [sitter.guest for sitter in sitters if not sitter.bot])
        table = _with_site_entries(row, table, table.at)
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
) -> TableChange:
    """Add entries, each a kind and a value, for a seat (None: the site): all of them or none.

    `base` is the number of entries that the sender has seen. `key` makes the call idempotent: entries that
    were already added under it aren't added again. `digest` is that of the command sent under the key.
    Raises Stale if the log has entries that the sender hasn't seen, KeyReused if another command was sent
    under the key, and Refused or IllegalAction for entries that aren't allowed.
    """
    with writing():
        row = _LOCKED.first(code)
        if row is None:
            raise models.Table.DoesNotExist
        before = selectors.table_of(row)
        if was_added(row, key, digest):
            return TableChange(row, before)
        at = clock.now()
        table = _with_site_entries(row, before, at)
        is_known = table.has_seen(base)
        if is_known:
            table = _append(row, table, entries, seat, key, at, digest)
        elif table is before:
            raise Stale
        table = _with_responses(row, before, table)
    _publish(row, table)
    if not is_known:  # but the site's own entries stay
        raise Stale
    return TableChange(row, table)


def settle(code: str) -> Table | None:
    """Add the site's entries that are due at a table. Return the table, or None if nothing is due."""
    if (found := selectors.BY_CODE.first(code)) is None:
        return None
    selectors.table_of(found)  # replays its log before the row is locked
    with writing():
        row = _LOCKED.first(code)
        if row is None:
            return None
        before, at = selectors.table_of(row), clock.now()
        table = _with_site_entries(row, before, at)
        if table is before:
            return None
        table = _with_responses(row, before, table)
    _publish(row, table)
    return table


def _publish(row: models.Table, table: Table) -> None:
    """Cache and announce a table once its entries are committed."""
    CACHE.remember(row, table)
    announce(row.code, row.news, to_bots=row.waits_for_bot)


def _with_site_entries(row: models.Table, table: Table, at: float) -> Table:
    """The table of a locked row after adding all entries that the site owes by the time `at`."""
    while entry := next_site_entry(row, table, at):
        table = _append(row, table, [(entry.kind, entry.value)], entry.seat, entry.key, at)
    return table


def _with_responses(row: models.Table, before: Table, table: Table) -> Table:
    """The table of a locked row after all responses; sends `entries_added` for all entries since `before`."""
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
    """Add entries to the log of a locked row and return its new table."""
    lines = []
    for index, (kind, value) in enumerate(entries):
        table = table.apply(Entry(seat, kind, value, at))
        number, content = row.entries + 1 + index, table.history[-1].to_json()
        name = _entry_key(key, index)
        lines.append(models.Entry(table=row, number=number, key=name, digest=digest, content=content))
    insert(lines)
    row.entries, row.head = row.entries + len(lines), lines[-1].key
    row.news += len(lines)
    row.claimed_until = 0.0
    was_over = row.is_over
    update_derived_fields(row, table, is_free=not table.last_relevant_entry and _has_free_seat(row))
    update(row, DERIVED_FIELDS)
    if not was_over:
        _save_shares(row, table)
    return table


def _has_free_seat(row: models.Table) -> bool:
    return row.seats.filter(guest=None, bot="").exists()


def _save_shares(row: models.Table, table: Table) -> None:
    """Save the shares of the win once a match is over; none if it ended without a result.

    A person who left doesn't get the share that a bot wins in their place.
    """
    if not (table.ending and table.ending.winners):
        return
    winners = table.ending.winners
    left = {leaver.seat for leaver in table.match.current_game.leavers if leaver.has_bot}
    own = [seat for seat in winners if seat not in left] or [NO_SEAT]
    with connection.cursor() as cursor:
        cursor.execute(_SHARES.format(winners=", ".join(["%s"] * len(own))), [*own, 1 / len(winners), row.pk])


def was_added(row: models.Table, key: str, digest: str = "") -> bool:
    """Whether entries with this key are in the log. Raises KeyReused if they came from another command."""
    known = _KEYED.first(row.pk, _entry_key(key, 0))
    if known is not None and known.digest != digest:
        raise KeyReused
    return known is not None


def _entry_key(key: str, number: int) -> str:
    return f"{key}:{number}"


def update_derived_fields(row: models.Table, table: Table, *, is_free: bool = False) -> None:
    """Update the derived fields of a row; `is_free` says whether a seat is free."""
    row.to_act = table.to_act
    waiting = (table.to_act, *(table.offer.waiting if table.offer else ()))
    row.waits_for_bot = any(table.match.seats[number].is_bot for number in waiting if number is not None)
    row.is_over = table.is_over
    row.ended_at = table.at if table.is_over else None
    row.due_at = deadlines.due_at(table, is_free=is_free)
    row.warn_at = None if is_free else deadlines.warn_at(row, table)
    row.plies = sum(game.position.ply for game in table.match.games)


def sit_down(seat: models.Seat, guest: Guest) -> bool:
    """Give a free seat to a guest. Returns False if it is taken or the match has started or ended.

    Raises Refused if they and somebody there block one another or can't play a rated game together.
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
            table.last_relevant_entry
            or table.is_over
            or not free.update(guest=guest, name=guest.name, name_folded=fold(guest.name))
        ):
            return False
        seat.table, seat.guest, seat.name = row, guest, guest.name
        if row.is_rated:
            _show_by_default(row, [each.guest for each in row.seats.select_related("guest").filter(bot="")])
        row.news = _increment_news(row.pk)
        table = _with_seated_entry(row)
        seat_taken.send(models.Table, row=row, seat=seat, guest=guest)
    CACHE.remember(row, table)
    announce(row.code, row.news, to_bots=True)
    return True


def decline(seat: models.Seat, reason: str) -> None:
    """Decline the invitation to a free seat. Raises Refused with the reason if it can't be declined.

    `reason` is one of the `session.events.ABORTS` that begin with "declined". At a table for at most two
    people this ends the match; a larger one keeps waiting, and the seat gets a new invitation.
    """
    if not reason.startswith("declined"):
        raise Refused(lazy_message("Choose one of the reasons in the list."))
    with writing():
        row = models.Table.objects.select_for_update().get(pk=seat.table_id)
        before, at = selectors.table_of(row), clock.now()
        table = _with_site_entries(row, before, at)
        free = row.seats.filter(guest=None, bot="")
        if why_not := selectors.why_not_declined(table, seat):
            raise Refused(why_not)
        if row.seats.filter(bot="").count() > 2:
            free.filter(pk=seat.pk).update(invitation=new_token())
            row.news = _increment_news(row.pk)
        else:
            table = _append(row, table, [("abort", reason)], seat.number, "declined", at)
            table = _with_responses(row, before, table)
        seat_declined.send(models.Table, row=row, seat=seat, reason=reason)
    _publish(row, table)


def _with_seated_entry(row: models.Table) -> Table:
    """The table of a locked row after somebody sat down. The limit for first decisions begins if it is
    full."""
    before, at = selectors.table_of(row), clock.now()
    if _has_free_seat(row):
        return before
    table = _append(row, before, [("seated", None)], None, "seated", at) if row.due_at else before
    return _with_site_entries(row, table, at)


def rematch(row: models.Table, guest: Guest) -> models.Table:
    """Record that a player wants a rematch. Return the new table once all people agree, else the old one.

    Everybody moves on by one seat, so that somebody else begins. Raises Refused if there can't be a rematch.
    """
    with writing():
        row = models.Table.objects.select_for_update().get(pk=row.pk)
        if row.successor is not None:
            return row.successor
        table = selectors.table_of(row)
        if not table.is_over:
            raise Refused(lazy_message("you can offer a rematch once the match is over"))
        if selectors.has_parted(row, guest):
            raise Refused(lazy_message("this game can’t have a rematch"))
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
        row.news = _increment_news(row.pk)
    announce(row.code, row.news)
    return row.successor or row


def _show_by_default(row: models.Table, people: Sequence[Guest | None]) -> None:
    """List a game between account holders: a rated one always, a casual one unless somebody doesn't want it.

    Every list (Watch, profiles, search, the API, the home page) shows the tables with `listed_at`. A game
    with a guest, or with a seat for an invited friend, isn't listed unless its players choose so.
    """
    known = [guest for guest in people if guest is not None and guest.handle is not None]
    if len(known) < len(people) or len({guest.pk for guest in known}) < 2:
        return
    wanting = [guest.pk for guest in known if row.is_rated or guest.shows_games]
    row.seats.filter(guest__in=wanting).update(wants_listing=True)
    _update_listing(row)


def wish_listing(row: models.Table, guest: Guest, *, wanted: bool) -> models.Table:
    """Record whether a player agrees to show the game in the public list.

    It is listed while all people at the table agree. Raises Refused to hide a rated game between people.
    """
    with writing():
        row = models.Table.objects.select_for_update().get(pk=row.pk)
        if not wanted and row.is_rated and row.seats.filter(bot="").count() > 1:
            raise Refused(RATED_IS_PUBLIC)
        row.seats.filter(guest=guest).update(wants_listing=wanted)
        _update_listing(row)
        row.news = _increment_news(row.pk)
    announce(row.code, row.news)
    return row


def _update_listing(row: models.Table) -> None:
    """List a locked table if all its people agree, else take it off the list."""
    is_agreed = all(seat.bot or seat.wants_listing for seat in row.seats.all())
    if is_agreed == (row.listed_at is not None):
        return
    row.listed_at = timezone.now() if is_agreed else None
    if is_agreed:  # older tables lack their plies and shares
        table = selectors.table_of(row)
        update_derived_fields(row, table)
        _save_shares(row, table)
    row.save(update_fields=["listed_at", "plies"])


def tell_viewers(tables: Sequence[int]) -> None:
    """Notify all viewers of some tables, given by primary key, of a change outside their logs."""
    told = models.Table.objects.filter(pk__in=tables)
    with writing():
        numbers = told.select_for_update().order_by("pk").values_list("pk", flat=True)
        list(numbers)  # locks the rows in one order, which avoids deadlocks
        told.update(news=F("news") + 1)
    for code, news in told.values_list("code", "news"):
        announce(code, news)


def _increment_news(table: int) -> int:
    """Increment a table's `news` for a change outside its log, and return it."""
    known = models.Table.objects.filter(pk=table)
    known.update(news=F("news") + 1)
    return known.values_list("news", flat=True).get()


def set_hidden(code: str, guest: Guest, *, hidden: bool) -> bool:
    """Remove a game from a guest's own list, or restore it. Returns False if they don't sit there.

    A casual game that is removed also leaves the public list.
    """
    seat = models.Seat.objects.select_related("table").filter(table__code=code, guest=guest).first()
    if seat is None:
        return False
    if hidden and seat.wants_listing and not seat.table.is_rated:
        wish_listing(seat.table, guest, wanted=False)
    return seat.table.seats.filter(guest=guest).update(is_hidden=hidden) > 0
