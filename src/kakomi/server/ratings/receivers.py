"""Receivers of tables' signals: block suspended players, and write results when rated matches end."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.db import transaction

from kakomi.contest import places
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.ratings import RATE_RESULTS, models, selectors
from kakomi.server.ratings.selectors import pool_of
from kakomi.server.site.django_private import insert
from kakomi.server.tables import models as tables
from kakomi.server.tables.selectors import seats_of
from kakomi.session import Match, Refused, Table, TimeControl

SUSPENDED = lazy_message(
    "you lost several games in a row on time: you can’t start rated correspondence games "
    "for two weeks, but you can play casual ones"
)


def on_table_opened(row: tables.Table, table: Table, **_named: Any) -> None:
    """Raise `Refused` if a suspended player would begin a rated game."""
    if row.is_rated and table.time:
        guests = row.seats.filter(guest__isnull=False).values_list("guest", flat=True)
        _expect_not_suspended(guests, table.time)


def on_seat_taken(row: tables.Table, guest: Guest, **_named: Any) -> None:
    """Raise `Refused` if a suspended player takes a seat at a rated table."""
    if row.is_rated:
        _expect_not_suspended([guest.pk], TimeControl.from_json(row.begun["time"]))


def _expect_not_suspended(guests: Iterable[int | None], control: TimeControl) -> None:
    if any(guest and selectors.is_suspended(guest, control.pace) for guest in guests):
        raise Refused(SUSPENDED)


def on_entries_added(row: tables.Table, before: Table, table: Table, **_named: Any) -> None:
    """Write the result of a rated match in the transaction of the entry that ends it."""
    if row.is_rated and table.is_over and not before.is_over:
        record_result(row, table)


def record_result(row: tables.Table, table: Table) -> models.Result | None:
    """Write the result of a finished match, in the transaction that ends it; None if it can't be rated."""
    if table.time is None or not _is_result(table):
        return None
    seats = seats_of(row)
    pool = pool_of(table.match.config.game, table.time)
    if pool is None or any(seat.is_free for seat in seats):
        return None
    result = models.Result.objects.create(table=row, pool=pool, ended_at=table.at)
    found = places_of(table.match)
    ran_out = {leaver.seat for leaver in table.match.current_game.leavers if leaver.reason == "time"}
    entrants = [
        models.Entrant(
            result=result,
            seat=seat.number,
            guest_id=seat.guest_id,
            bot=seat.bot,
            place=found[seat.number],
            ran_out=seat.number in ran_out,
        )
        for seat in seats
    ]
    insert(entrants)
    transaction.on_commit(partial(JOBS.wake, RATE_RESULTS))
    return result


def places_of(match: Match) -> tuple[int, ...]:
    """The place of every seat in a finished match, by points; in a single game, those who left come last."""
    if match.config.games > 1:
        return places(match.points())
    game = match.current_game
    if game.agreed:
        return (1,) * len(match.seats)
    return places(game.result().points, [leaver.seat for leaver in game.leavers])


def _is_result(table: Table) -> bool:
    """Whether the match has winners, and wasn't lost by default before two players had acted."""
    if table.ending is None or not table.ending.winners:
        return False
    is_by_default = table.ending.reason in ("absence", "forfeit") and len(table.match.games) == 1
    return not is_by_default or len(table.start.acted) > 1
