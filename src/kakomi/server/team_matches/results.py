"""Results: what the end of a table means for its team match, written in the transaction of that end."""

from typing import Any

from kakomi.server.outcomes import outcome_of
from kakomi.server.tables import models as tables
from kakomi.server.team_matches.models import BoardGame, TeamMatch
from kakomi.server.team_matches.notices import tell_over
from kakomi.server.team_matches.services import end, locked
from kakomi.session import Table


def hear_of_entries(row: tables.Table, before: Table, table: Table, **_named: Any) -> None:
    """Write the result of a match's game with the entry that ends it."""
    if table.is_over and not before.is_over:
        game = BoardGame.objects.filter(table=row, home_points=None).first()
        if game is not None:
            report(game, outcome_of(before, table).places)


def report(game: BoardGame, places: tuple[int, ...]) -> None:
    """Enter the result of a game, once, and end the match if it was the last one.

    Must be inside a transaction, and the table's row be locked.
    """
    row = locked(TeamMatch(pk=game.match_id))
    open_games = BoardGame.objects.filter(match=row, home_points=None)
    points = points_of(places, game.home_seat)
    is_new = open_games.filter(pk=game.pk).update(home_points=points) > 0
    if is_new and not open_games.exists():
        end(row, TeamMatch.State.OVER)
        tell_over(row)


def points_of(places: tuple[int, ...], seat: int) -> float:
    """What a seat's place in a game of two is worth: a win 1, a draw a half."""
    if places[0] == places[1]:
        return 0.5
    return 1.0 if places[seat] == 1 else 0.0
