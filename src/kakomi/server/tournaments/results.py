"""Results: what the end of a table means for its tournament, written in the transaction of that end."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction

from kakomi.contest import places
from kakomi.contest.tournament import Reported
from kakomi.server import clock
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.ratings.recording import places_of
from kakomi.server.tables import models as tables
from kakomi.server.tournaments import GO_ON, logs
from kakomi.server.tournaments.models import Entrant, Game, Tournament
from kakomi.server.tournaments.withdrawals import wish_to_leave
from kakomi.session import Table


class Outcome(NamedTuple):
    """How a table ended for the tournament."""

    places: tuple[int, ...]
    absent: tuple[int, ...] = ()
    """The seats whose entrants did not come."""


def outcome_of(before: Table, table: Table) -> Outcome:
    """What a table that has just ended comes to.

    A game that was broken off before it began is lost by whoever broke it off, or by whoever was to act when
    the time to begin ran out: they count as absent, and the others share the first place.
    """
    if table.ending is not None and table.ending.winners:
        return Outcome(places_of(table.match))
    stopped = next((entry.seat for entry in reversed(table.history) if entry.kind == "abort"), None)
    return without(before.to_act if stopped is None else stopped, len(table.match.seats))


def without(seat: int | None, seats: int) -> Outcome:
    """The outcome of a game to which a seat did not come; None: nobody is to blame."""
    left = () if seat is None else (seat,)
    return Outcome(places([0.0] * seats, left), left)


def hear_of_entries(row: tables.Table, before: Table, table: Table, **_named: Any) -> None:
    """Write the result of a tournament's game with the entry that ends it."""
    if table.is_over and not before.is_over:
        game = Game.objects.select_related("round").filter(table=row, is_over=False).first()
        if game is not None:
            report(game, outcome_of(before, table))


def report(game: Game, outcome: Outcome) -> None:
    """Enter the result of a game, once, and make the next round due if it was the last one of its round.

    Must be inside a transaction, and the table's row be locked.
    """
    row = logs.locked(game.round.tournament_id)
    if not Game.objects.filter(pk=game.pk, is_over=False).update(is_over=True):
        return
    reported = Reported(game.round.number, game.number, outcome.places, outcome.absent)
    state = logs.append(row, reported)
    seats = state.game(game.round.number, game.number).seats
    _send_home(row, [seats[seat] for seat in outcome.absent])
    if not game.round.games.filter(is_over=False).exists():
        end_round(game, row)


def end_round(game: Game, row: Tournament) -> None:
    """Note that all games of a round are over: what comes next is due."""
    game.round.is_over = True
    game.round.save(update_fields=["is_over"])
    if row.state == Tournament.State.RUNNING:
        row.due_at = clock.now()
        row.save(update_fields=["due_at"])
        transaction.on_commit(partial(JOBS.wake, GO_ON))


def _send_home(row: Tournament, names: Sequence[str]) -> None:
    """Whoever does not come to a game isn't paired again, unless they return."""
    for entrant in row.entrants.filter(number__in=map(int, names), leaving="", is_in=True):
        wish_to_leave(entrant, Entrant.Leaving.ABSENT)
