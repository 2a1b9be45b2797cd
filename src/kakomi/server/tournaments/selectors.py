"""Queries for tournaments: lists, directors, and a player's current games."""

from functools import partial
from typing import NamedTuple

from django.db.models import Count, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from kakomi.contest.tournament import Swiss, Tables
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, User
from kakomi.server.site import clock
from kakomi.server.tables.extensions import GameContext, NextLink
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import table_of
from kakomi.server.tournaments import logs
from kakomi.server.tournaments.models import Entrant, Game, Tournament
from kakomi.server.tournaments.terms import format_of, has_rounds
from kakomi.session import Refused

State = Tournament.State
MOST_GOING = 3
"""The maximum number of open and running tournaments per organiser."""
SHOWN = 50
"""The maximum number of tournaments in each list."""


class Counted(NamedTuple):
    """A tournament with the number of present entrants."""

    row: Tournament
    present: int


def find_tournament(code: str) -> Tournament:
    """The tournament with a code. Raises Http404 if there is none."""
    row = Tournament.objects.select_related("organiser").filter(code=code).first()
    if row is None:
        raise Http404(lazy_message("Tournament not found. The link may be incomplete."))
    return row


def is_at_limit(organiser: Guest) -> bool:
    """Whether an organiser has reached the limit of open and running tournaments; staff have no limit."""
    if User.objects.filter(guest=organiser, is_staff=True, is_active=True).exists():
        return False
    return organiser.tournaments.filter(state__in=(State.OPEN, State.RUNNING)).count() >= MOST_GOING


def open_tournaments() -> list[Counted]:
    """The tournaments that are open for entry, the next to begin first."""
    return _counted(Tournament.objects.filter(state=State.OPEN).order_by("begins_at", "pk"))


def running_tournaments() -> list[Counted]:
    """The running tournaments, the last to begin first."""
    return _counted(Tournament.objects.filter(state=State.RUNNING).order_by("-begins_at", "-pk"))


def ended_tournaments() -> list[Counted]:
    """The tournaments that are over or cancelled, the latest first."""
    ended = Tournament.objects.filter(state__in=(State.OVER, State.CANCELLED))
    return _counted(ended.order_by("-ended_at", "-pk"))


def _counted(rows: "QuerySet[Tournament]") -> list[Counted]:
    found = list(rows[:SHOWN])
    present = Entrant.objects.filter(tournament__in=found, is_in=True)
    counts = dict(present.order_by().values_list("tournament").annotate(Count("pk")))
    return [Counted(row, counts.get(row.pk, 0)) for row in found]


def game_context_of(table: Table) -> GameContext | None:
    """The tournament that a table belongs to, with its players' next destination; None if there is none."""
    game = Game.objects.select_related("round__tournament").filter(table=table).first()
    if game is None:
        return None
    row, number = game.round.tournament, game.round.number
    part = gettext("Round {number}").format(number=number) if has_rounds(row) else ""
    address = reverse("tournament", args=[row.code])
    return GameContext(
        row.code, row.name, number, part, address, row.is_going, partial(_next_destination, row)
    )


def _next_destination(row: Tournament, guest: Guest | None) -> NextLink:
    own = row.entrants.filter(guest=guest, is_in=True, leaving="").first() if guest else None
    page = reverse("tournament", args=[row.code])
    if own and (next_game := going_games(own).first()):
        return NextLink(gettext("Your next game has started"), reverse("table", args=[next_game.table.code]))
    if not row.is_going:
        return NextLink(gettext("Final standings"), page)
    count = Game.objects.filter(round__tournament=row, is_over=False).count()
    is_out = own is None or own.name in logs.knocked_out(logs.log_of(row), format_of(row), row.seed)
    if is_out or not count or not has_rounds(row):
        return NextLink(gettext("Go to the tournament"), page)
    config, number = format_of(row), row.rounds.count()
    if isinstance(config, Swiss | Tables) and number < config.rounds:
        said = ngettext(
            "Round {number} starts after one more game",
            "Round {number} starts after {count} more games",
            count,
        )
        return NextLink(said.format(number=number + 1, count=count), page)
    said = ngettext(
        "Round {number} ends after one more game", "Round {number} ends after {count} more games", count
    )
    return NextLink(said.format(number=number, count=count), page)


def going_games(entrant: Entrant) -> "QuerySet[Game]":
    """An entrant's unfinished games."""
    going = Game.objects.filter(round__tournament=entrant.tournament_id, is_over=False)
    return going.filter(table__seats__guest=entrant.guest_id).select_related("round", "table").distinct()


class Call(NamedTuple):
    """A live game that is waiting for a player's first turn."""

    game: Game
    left: float | None
    """The seconds left for the turn; None while it is another player's turn."""


def first_due(row: Table, guest: Guest) -> float | None:
    """The deadline of a guest's first turn at a table; None if it isn't their turn or no start is pending."""
    table = table_of(row)
    if table.to_act is None or not table.start.is_awaited(table.match):
        return None
    return table.next_due() if row.seats.filter(guest=guest, number=table.to_act).exists() else None


def call_to(guest: Guest) -> Call | None:
    """The current live tournament game in which a guest hasn't acted yet, or None."""
    for entrant in guest.tournament_entries.awaiting_live_rounds():
        for game in going_games(entrant):
            seats = set(game.table.seats.filter(guest=guest).values_list("number", flat=True))
            if not seats & table_of(game.table).start.acted:
                due = first_due(game.table, guest)
                return Call(game, due and due - clock.now())
    return None


def is_director(row: Tournament, guest: Guest | None) -> bool:
    """Whether a guest may direct a tournament, as its organiser or as staff."""
    if guest is None:
        return False
    return row.organiser_id == guest.pk or User.objects.filter(guest=guest, is_staff=True).exists()


def expect_director(row: Tournament, guest: Guest) -> None:
    """Raise Refused unless the guest may direct the tournament."""
    if not is_director(row, guest):
        raise Refused(lazy_message("Only the organiser or a moderator can do that."))
