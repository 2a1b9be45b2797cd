"""Leaving a tournament: first somebody's open games come to an end, then the log has it.

The wish is a row (`Entrant.leaving`), so that whoever dies in between leaves the rest to the job.
"""

from typing import Literal

from kakomi.contest.tournament import Erased, Withdrew, may_return
from kakomi.core import IllegalAction
from kakomi.server.database import writing
from kakomi.server.moderation.restrictions import kept_from_people
from kakomi.server.ratings.selectors import is_suspended
from kakomi.server.tables import selectors, services
from kakomi.server.tables.commands import Stale
from kakomi.server.tables.models import Seat, Table
from kakomi.server.tournaments import logs
from kakomi.server.tournaments.logs import note_news
from kakomi.server.tournaments.models import Entrant, Tournament
from kakomi.server.tournaments.notices import tell_removed
from kakomi.server.tournaments.selectors import going_games
from kakomi.server.tournaments.terms import format_of, has_rounds, terms_of
from kakomi.session import Refused


def wish_to_leave(entrant: Entrant, reason: Entrant.Leaving) -> None:
    """Note under the tournament's lock that somebody is to leave; they may have left already."""
    entrant.leaving = reason
    entrant.save(update_fields=["leaving"])
    note_news(entrant.tournament)
    if reason in (Entrant.Leaving.REMOVED, Entrant.Leaving.ABSENT, Entrant.Leaving.SUSPENDED):
        row = entrant.tournament
        back = may_return(logs.log_of(row), format_of(row), row.seed, entrant.name)
        tell_removed(entrant, may_return=back)


def take_out(entrant: Entrant) -> None:
    """Have somebody who is to leave give up their games, and take them out of the log.

    Where something happens at a table at this moment the next run looks again.
    """
    for game in going_games(entrant):
        if give_up(game.table, _seat_of(entrant, game.table)) == "busy":
            return
    with writing():
        settle_leavers(logs.locked(entrant.tournament_id))


def settle_leavers(row: Tournament) -> None:
    """Enter in the log of a locked tournament that those who are to leave have left. A game of theirs that
    goes on among several others does so without them; on a ladder they leave after it."""
    _note_unfit(row)
    at_play = set() if has_rounds(row) else _at_play(row)
    for entrant in row.entrants.filter(is_in=True).exclude(leaving=""):
        if entrant.guest_id in at_play:
            continue
        is_gone = entrant.leaving == Entrant.Leaving.ERASED
        logs.append(row, Erased(entrant.name) if is_gone else Withdrew(entrant.name))
        entrant.is_in = False
        entrant.save(update_fields=["is_in"])


def _at_play(row: Tournament) -> set[int | None]:
    """The guests whose games in a tournament go on."""
    seats = Seat.objects.filter(
        table__tournament_game__round__tournament=row,
        table__tournament_game__is_over=False,
        guest__isnull=False,
    )
    return set(seats.values_list("guest", flat=True))


def _note_unfit(row: Tournament) -> None:
    """Whoever is erased, or may begin no such game, plays no further round."""
    with_guests = row.entrants.filter(guest__isnull=False, is_in=True)
    with_guests.filter(guest__is_erased=True).update(leaving=Entrant.Leaving.ERASED)
    staying = list(with_guests.filter(leaving=""))
    numbers = {entrant.guest_id for entrant in staying if entrant.guest_id is not None}
    unfit = set(kept_from_people(numbers))
    if row.is_rated:
        pace = terms_of(row).pace
        unfit |= {number for number in numbers if is_suspended(number, pace)}
    for entrant in staying:
        if entrant.guest_id in unfit:
            wish_to_leave(entrant, Entrant.Leaving.SUSPENDED)


def give_up(table: Table, seat: int | None) -> Literal["done", "busy", "impossible"]:
    """Let a seat resign; a table of an older log whose colours aren't settled is called off instead."""
    row = selectors.find_table(table.code)
    known = selectors.table_of(row)
    ways: list[tuple[str, str | None]] = [("resign", None), ("abort", "stopped")]
    for kind, value in ways:
        if seat is None or not known.may(seat, kind, value):
            continue
        try:
            key = f"given-up-{seat}-{row.entries}"
            services.add(row.code, [(kind, value)], seat=seat, base=row.entries, key=key)
        except (Stale, Refused, IllegalAction):  # something happened at this moment
            return "busy"
        return "done"
    return "impossible"


def end_with_round(table: Table) -> bool:
    """Have whoever is to act lose a game whose round is over; False if something happens there just now."""
    row = selectors.find_table(table.code)
    entry = ("forfeit", selectors.table_of(row).to_act)
    try:
        services.add(row.code, [entry], seat=None, base=row.entries, key=f"round-over-{row.entries}")
    except (Stale, Refused):
        return False
    return True


def _seat_of(entrant: Entrant, table: Table) -> int | None:
    return table.seats.filter(guest=entrant.guest_id).values_list("number", flat=True).first()
