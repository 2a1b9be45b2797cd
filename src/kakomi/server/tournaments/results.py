"""Results: what the end of a table means for its tournament, written in the transaction of that end."""

from collections.abc import Sequence
from typing import Any

from kakomi.contest.tournament import Ladder, Reported
from kakomi.server.tables import models as tables
from kakomi.server.tables.services import tell_viewers
from kakomi.server.tournaments import logs
from kakomi.server.tournaments.models import Entrant, Game, Tournament
from kakomi.server.tournaments.notices import tell_out
from kakomi.server.tournaments.outcomes import Outcome, outcome_of
from kakomi.server.tournaments.terms import format_of
from kakomi.server.tournaments.timing import has_rounds, make_due
from kakomi.server.tournaments.withdrawals import wish_to_leave
from kakomi.session import Table


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
    if not (outcome.is_declined and isinstance(format_of(row), Ladder)):  # there it costs the rung alone
        _send_home(row, [seats[seat] for seat in outcome.absent])
    if not game.round.games.filter(is_over=False).exists():
        game.round.is_over = True
        game.round.save(update_fields=["is_over"])
    else:  # else the next round, or the end, tells them
        tell_out(row, logs.knocked_out(logs.log_of(row), format_of(row), row.seed))
    tell_viewers(_ended_before(game))
    if row.state == Tournament.State.RUNNING and (game.round.is_over or not has_rounds(row)):
        make_due(row)


def _ended_before(game: Game) -> list[int]:
    """The tables of a round that ended before: their players wait for the others."""
    ended = game.round.games.filter(is_over=True).exclude(pk=game.pk)
    return list(ended.values_list("table", flat=True))


def _send_home(row: Tournament, names: Sequence[str]) -> None:
    """Whoever does not come to a game isn't paired again, unless they return."""
    for entrant in row.entrants.filter(number__in=map(int, names), leaving="", is_in=True):
        wish_to_leave(entrant, Entrant.Leaving.ABSENT)
