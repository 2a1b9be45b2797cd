"""Helpers for tests of tournaments: entering people, ending games by resignation, running jobs."""

from collections.abc import Callable, Sequence

from kakomi.contest.tournament import AnyFormat, Swiss
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.operations.periodic_jobs import run_job
from kakomi.server.site import clock
from kakomi.server.tables import services as tables
from kakomi.server.tournaments import ADVANCE, WITHDRAW, services
from kakomi.server.tournaments.models import Game, Tournament
from kakomi.server.tournaments.terms import TournamentTerms
from kakomi.session import TimeControl
from server.people import make_user

DAYS = TimeControl(3 * 86400.0, kind="days")
LIVE = TimeControl(300.0, 3.0)
LATE = "kakomi.server.tournaments.jobs.end_late_rounds"
Winner = Callable[[Game], int]


def asked_for(game: str = "rin", config: AnyFormat | None = None, **agreed: object) -> TournamentTerms:
    """The terms of a tournament that begins at once."""
    control = agreed.pop("control", DAYS)
    days = 30 if control is DAYS else 0
    given = {"name": "Autumn Cup", "begins_at": clock.now(), "round_days": days, **agreed}
    options = {"options": given.pop("options")} if "options" in given else {}
    return TournamentTerms(
        terms=SeekTerms(game, control, **options), format=config or Swiss(rounds=3), **given
    )  # type: ignore[arg-type]


def organised(game: str = "rin", config: AnyFormat | None = None, **agreed: object) -> Tournament:
    """Create a tournament that is due now, whose organiser doesn't take part."""
    organiser = make_user(f"organiser{Tournament.objects.count()}").guest
    with clock.time_from(lambda: 1.0):
        wanted = asked_for(game, config, **agreed)
        return services.create(organiser, wanted, "key")


def entered(row: Tournament, count: int, prefix: str = "player") -> list[Guest]:
    """Enter `count` new people in a tournament."""
    people = [make_user(f"{prefix}{number}").guest for number in range(1, count + 1)]
    for guest in people:
        services.enter(row, guest)
    return people


def go_on(row: Tournament) -> Tournament:
    """Run the due jobs."""
    run_job(WITHDRAW)
    run_job(ADVANCE)
    row.refresh_from_db()
    return row


def going_games(row: Tournament) -> list[Game]:
    """The unfinished games, in order."""
    games = Game.objects.filter(round__tournament=row, is_over=False).select_related("table", "round")
    return list(games.order_by("round__number", "number"))


def first_wins(game: Game) -> int:
    """Let the first seat win."""
    del game
    return 0


def play(game: Game, winner: int = 0) -> None:
    """End a game by letting all but the winner resign, the last seat first."""
    seats: Sequence[int] = range(game.table.seats.count())
    for seat in reversed(seats):
        game.table.refresh_from_db()
        if seat != winner and not game.table.is_over:
            _resign(game, seat)


def _resign(game: Game, seat: int) -> None:
    base = game.table.entries
    tables.add(game.table.code, [("resign", None)], seat=seat, base=base, key=f"resign-{seat}-{base}")


def play_round(row: Tournament, winner: Winner = first_wins) -> None:
    """End all unfinished games, then run the due jobs."""
    for game in going_games(row):
        play(game, winner(game))
    go_on(row)
