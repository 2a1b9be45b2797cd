"""Writes the ledger: one line for each rated match, with the entry that ends it."""

from functools import partial

from django.db import transaction

from kakomi.contest import places
from kakomi.server.django_private import insert
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.ratings import RATE_RESULTS, models
from kakomi.server.ratings.pools import pool_of
from kakomi.server.tables import models as tables
from kakomi.server.tables.selectors import seats_of
from kakomi.session import Match, MatchGame, Table


def record_result(row: tables.Table, table: Table) -> models.Result | None:
    """Write the result of a match that is over, in its transaction; None if nothing of it is rated."""
    if table.time is None or not _is_result(table):
        return None
    seats = seats_of(row)
    pool = pool_of(table.match.config.game, table.time)
    if pool is None or any(seat.is_free for seat in seats):
        return None
    result = models.Result.objects.create(table=row, pool=pool, ended_at=table.at)
    found, ran_out = places_of(table.match), _out_of_time(table.match.current_game)
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
    """The place of every seat in a match that is over: by points, and in a single game by who left it."""
    if match.config.games > 1:
        return places(match.points())
    game = match.current_game
    if game.agreed:
        return (1,) * len(match.seats)
    return places(game.result().points, [leaver.seat for leaver in game.leavers])


def _out_of_time(game: MatchGame) -> frozenset[int]:
    return frozenset(leaver.seat for leaver in game.leavers if leaver.reason == "time")


def _is_result(table: Table) -> bool:
    """Whether the match has a winner, or winners: it was not broken off, nor lost before two had begun."""
    if table.ending is None or not table.ending.winners:
        return False
    is_by_default = table.ending.reason in ("absence", "forfeit") and len(table.match.games) == 1
    return not is_by_default or len(table.start.acted) > 1
