"""Rated games for tests: ended by immediate resignation, or only written into the ledger."""

from collections.abc import Sequence

from django.db import transaction

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.ratings import models
from kakomi.server.site import clock
from kakomi.server.tables import models as tables
from kakomi.server.tables import services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, TimeControl
from server.people import make_user

LIVE = TimeControl(300, 5)


def make_people(count: int) -> list[Guest]:
    """The guests of new users."""
    return [make_user(f"person{number}").guest for number in range(1, count + 1)]


def begin_rated(
    sitters: Sequence[Guest | str],
    game: str = "rive",
    control: TimeControl = LIVE,
    games: int = 1,
    **options: int,
) -> tables.Table:
    """A rated table for guests and bots (given by level)."""
    terms = MatchConfig(catalog.game(game, **options), games=games)
    seats = [Sitter(bot=who) if isinstance(who, str) else Sitter(who, name=who.name) for who in sitters]
    return services.begin(terms, seats, control, is_rated=True)


def resign(row: tables.Table, seat: int) -> tables.Table:
    """Have a seat resign."""
    row.refresh_from_db()
    key = f"resign-{row.entries}"
    return services.add(row.code, [("resign", None)], seat=seat, base=row.entries, key=key).row


def play_rated(winner: Guest | str, loser: Guest | str, **terms: object) -> models.Result:
    """The result of a rated game that the second player resigned."""
    row = resign(begin_rated([winner, loser], **terms), 1)  # type: ignore[arg-type]
    return models.Result.objects.get(table=row)


def write_result(
    pool: models.Pool, at: float, entrants: Sequence[tuple[Guest | str, int]], ran_out: Sequence[int] = ()
) -> models.Result:
    """Write a ledger entry for a table without play; entrants are given with their places."""
    with transaction.atomic():
        return _written(pool, at, entrants, ran_out)


def _written(
    pool: models.Pool, at: float, entrants: Sequence[tuple[Guest | str, int]], ran_out: Sequence[int]
) -> models.Result:
    row = tables.Table.objects.create(begun={}, game=pool.game, is_over=True, is_rated=True, ended_at=at)
    result = models.Result.objects.create(table=row, pool=pool, ended_at=at)
    models.Entrant.objects.bulk_create(
        models.Entrant(
            result=result,
            seat=seat,
            guest=None if isinstance(who, str) else who,
            bot=who if isinstance(who, str) else "",
            place=place,
            ran_out=seat in ran_out,
        )
        for seat, (who, place) in enumerate(entrants)
    )
    return result


def at_moment(moment: float):  # type: ignore[no-untyped-def]
    """Stop the site's clock at a moment."""
    return clock.time_from(lambda: moment)
