"""Leaving a tournament: first the entrant's open games end, then their withdrawal is logged.

The intention is stored (`Entrant.leaving`), so if a process dies in between, the periodic job completes it.
"""

from typing import Literal

from kakomi.contest.tournament import Erased, Withdrew, may_return
from kakomi.core import IllegalAction
from kakomi.server.moderation.restrictions import barred_from_games
from kakomi.server.ratings.selectors import is_suspended
from kakomi.server.site.database import writing
from kakomi.server.tables import selectors, services
from kakomi.server.tables.commands import Stale
from kakomi.server.tables.models import Seat, Table
from kakomi.server.tournaments import logs
from kakomi.server.tournaments.logs import publish_change
from kakomi.server.tournaments.models import Entrant, Tournament
from kakomi.server.tournaments.notices import notify_removal
from kakomi.server.tournaments.selectors import going_games
from kakomi.server.tournaments.terms import format_of, has_rounds, terms_of
from kakomi.session import Refused


def mark_leaving(entrant: Entrant, reason: Entrant.Leaving) -> None:
    """Record under the tournament's lock that an entrant is to leave; they may have left already."""
    entrant.leaving = reason
    entrant.save(update_fields=["leaving"])
    publish_change(entrant.tournament)
    if reason in (Entrant.Leaving.REMOVED, Entrant.Leaving.ABSENT, Entrant.Leaving.SUSPENDED):
        row = entrant.tournament
        back = may_return(logs.log_of(row), format_of(row), row.seed, entrant.name)
        notify_removal(entrant, may_return=back)


def withdraw_entrant(entrant: Entrant) -> None:
    """Resign the games of an entrant who is to leave, and log the withdrawal.

    If a table changes at the same moment, the next run tries again.
    """
    for game in going_games(entrant):
        seat = game.table.seats.filter(guest=entrant.guest_id).values_list("number", flat=True).first()
        if resign_or_abort(game.table, seat) == "busy":
            return
    with writing():
        log_withdrawals(logs.locked(entrant.tournament_id))


def log_withdrawals(row: Tournament) -> None:
    """Log the withdrawal of entrants who are to leave a locked tournament. Games of several players continue
    without them; on a ladder they leave after their game."""
    _mark_unfit(row)
    at_play = set() if has_rounds(row) else _at_play(row)
    for entrant in row.entrants.filter(is_in=True).exclude(leaving=""):
        if entrant.guest_id in at_play:
            continue
        is_gone = entrant.leaving == Entrant.Leaving.ERASED
        logs.append(row, Erased(entrant.name) if is_gone else Withdrew(entrant.name))
        entrant.is_in = False
        entrant.save(update_fields=["is_in"])


def _at_play(row: Tournament) -> set[int | None]:
    """The guests with unfinished games in a tournament."""
    seats = Seat.objects.filter(
        table__tournament_game__round__tournament=row,
        table__tournament_game__is_over=False,
        guest__isnull=False,
    )
    return set(seats.values_list("guest", flat=True))


def _mark_unfit(row: Tournament) -> None:
    """Mark entrants who have been erased or may not begin such games as leaving."""
    with_guests = row.entrants.filter(guest__isnull=False, is_in=True)
    with_guests.filter(guest__is_erased=True).update(leaving=Entrant.Leaving.ERASED)
    staying = list(with_guests.filter(leaving=""))
    numbers = {entrant.guest_id for entrant in staying if entrant.guest_id is not None}
    unfit = set(barred_from_games(numbers))
    if row.is_rated:
        pace = terms_of(row).pace
        unfit |= {number for number in numbers if is_suspended(number, pace)}
    for entrant in staying:
        if entrant.guest_id in unfit:
            mark_leaving(entrant, Entrant.Leaving.SUSPENDED)


def resign_or_abort(table: Table, seat: int | None) -> Literal["done", "busy", "impossible"]:
    """Resign a seat, or call the table off if an older log allows only that.

    Returns "busy" if the table changed at the same moment, and "impossible" if the seat can do neither.
    """
    row = selectors.find_table(table.code)
    known = selectors.table_of(row)
    ways: list[tuple[str, str | None]] = [("resign", None), ("abort", "stopped")]
    for kind, value in ways:
        if seat is None or not known.may(seat, kind, value):
            continue
        try:
            key = f"given-up-{seat}-{row.entries}"
            services.add(row.code, [(kind, value)], seat=seat, base=row.entries, key=key)
        except (Stale, Refused, IllegalAction):  # the table has just changed
            return "busy"
        return "done"
    return "impossible"


def end_with_round(table: Table) -> bool:
    """Make the player to move lose a game whose round is over; return False if the table has just changed."""
    row = selectors.find_table(table.code)
    entry = ("forfeit", selectors.table_of(row).to_act)
    try:
        services.add(row.code, [entry], seat=None, base=row.entries, key=f"round-over-{row.entries}")
    except (Stale, Refused):
        return False
    return True
