"""Challenges on a ladder: somebody wants to play who stands above; to decline costs the rung."""

from kakomi.contest.tournament import Challenged, Ladder, why_not_challenge
from kakomi.contest.tournament import Tournament as Replayed
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import are_blocked
from kakomi.server.database import writing
from kakomi.server.tables.selectors import find_table, table_of
from kakomi.server.tournaments import logs, rounds
from kakomi.server.tournaments.models import Entrant, Game, Tournament
from kakomi.server.tournaments.terms import format_of
from kakomi.server.tournaments.timing import make_due
from kakomi.server.tournaments.withdrawals import give_up
from kakomi.session import Refused


def challenge(row: Tournament, guest: Guest, number: int) -> None:
    """Let somebody challenge an entrant by their number: the game begins at once.

    Sent again while they play each other, it does nothing. Raises Refused.
    """
    with writing():
        row = logs.locked(row.pk)
        own, other = _present(row, guest=guest), _present(row, number=number)
        if own is None:
            raise Refused(lazy_message("Enter the ladder first: then you can challenge those above you."))
        if other is None:
            raise Refused(lazy_message("They don’t take part in this tournament."))
        state, names = logs.replayed(row), {own.name, other.name}
        meetings = [*(game.seats for game in state.open_games), *map(_people_of, state.challenges)]
        if any(names == set(people) for people in meetings):
            return
        _expect_possible(row, state, own, other)
        logs.append(row, Challenged(own.name, (other.name,)), by=guest)
        make_due(row)
    rounds.go_on(row.pk)


def _people_of(challenged: Challenged) -> tuple[str, ...]:
    return challenged.entrant, *challenged.opponents


def _present(row: Tournament, **which: object) -> Entrant | None:
    return row.entrants.select_related("guest").filter(is_in=True, leaving="", **which).first()


def _expect_possible(row: Tournament, state: Replayed, own: Entrant, other: Entrant) -> None:
    config = format_of(row)
    if not isinstance(config, Ladder) or row.state != Tournament.State.RUNNING:
        raise Refused(lazy_message("People challenge each other on a ladder, while it goes on."))
    if own.guest and other.guest and are_blocked(own.guest, other.guest):  # which nobody is told
        raise Refused(lazy_message("You can’t challenge them."))
    if state.is_closed:
        raise Refused(lazy_message("This ladder is closed: nobody is challenged any more."))
    if why_not_challenge(state, config, row.seed, own.name, (other.name,)):
        raise Refused(
            lazy_message(
                "You can challenge whoever stands at most {reach} rungs above you while neither of you "
                "plays; not the same person twice in succession.",
                reach=config.reach,
            )
        )


def decline(row: Tournament, guest: Guest, code: str) -> None:
    """Let somebody decline a game on a ladder before it begins: they lose it, and stay on the ladder."""
    game = Game.objects.filter(round__tournament=row, table__code=code).select_related("table").first()
    if game is None or (seat := _seat_at(game, guest)) is None:
        raise Refused(lazy_message("There is no such table in this tournament."))
    if game.is_over:
        return
    table = table_of(find_table(code))
    if table.start.is_everybody_in(table.match):
        raise Refused(lazy_message("The game has begun: at its table you can resign."))
    give_up(game.table, seat)


def _seat_at(game: Game, guest: Guest) -> int | None:
    return game.table.seats.filter(guest=guest).values_list("number", flat=True).first()
