"""Periodic jobs of tournaments. Every process runs them all, under the tournaments' locks."""

from django.db.models import QuerySet

from kakomi.server.site import clock
from kakomi.server.site.jobs import has_work_in
from kakomi.server.tables import selectors
from kakomi.server.tournaments import repeats, rounds
from kakomi.server.tournaments.models import Entrant, Game, Round, Tournament
from kakomi.server.tournaments.withdrawals import end_with_round, withdraw_entrant

_GOING = (Tournament.State.OPEN, Tournament.State.RUNNING)


def _due(now: float) -> "QuerySet[Tournament]":
    return Tournament.objects.filter(due_at__lte=now)


@has_work_in(_due)
def advance_due() -> None:
    """Begin due tournaments, pair their rounds, and end them."""
    for number in list(_due(clock.now()).values_list("pk", flat=True)):
        rounds.advance(number)


def _leaving(now: float) -> "QuerySet[Entrant]":
    del now
    going = Entrant.objects.filter(is_in=True, tournament__state__in=_GOING)
    return going.exclude(leaving=Entrant.Leaving.NOT)


def _erased(now: float) -> "QuerySet[Entrant]":
    del now
    staying = Entrant.objects.filter(is_in=True, leaving="", tournament__state__in=_GOING)
    return staying.filter(guest__is_erased=True)


@has_work_in(_leaving, _erased)
def withdraw_leavers() -> None:
    """Withdraw the entrants who are to leave or have been erased."""
    now = clock.now()
    _erased(now).update(leaving=Entrant.Leaving.ERASED)
    for entrant in _leaving(now).select_related("tournament"):
        withdraw_entrant(entrant)


def _repeating(now: float) -> "QuerySet[Tournament]":
    del now
    return Tournament.objects.filter(next_at__isnull=False).exclude(state=Tournament.State.OPEN)


@has_work_in(_repeating)
def open_next_editions() -> None:
    """Open the next editions of repeated tournaments that have begun."""
    for number in list(_repeating(clock.now()).values_list("pk", flat=True)):
        repeats.open_next(number)


def _late(now: float) -> "QuerySet[Round]":
    return Round.objects.filter(is_over=False, ends_at__lte=now)


@has_work_in(_late)
def end_late_rounds() -> None:
    """End overdue rounds: in each game the player to move loses, until it is over."""
    games = Game.objects.filter(round__in=_late(clock.now()), is_over=False).select_related("round", "table")
    for game in games:
        _end(game)


def _end(game: Game) -> None:
    while not selectors.find_table(game.table.code).is_over:
        if not end_with_round(game.table):
            return
