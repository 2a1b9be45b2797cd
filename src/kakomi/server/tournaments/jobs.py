"""What the site does again and again for tournaments; every process does it all, under tournaments' locks."""

from django.db.models import QuerySet

from kakomi.server import clock
from kakomi.server.job_questions import works_on
from kakomi.server.tables import selectors
from kakomi.server.tournaments import repeats, rounds
from kakomi.server.tournaments.models import Entrant, Game, Round, Tournament
from kakomi.server.tournaments.withdrawals import end_with_round, take_out

_GOING = (Tournament.State.OPEN, Tournament.State.RUNNING)


def _due(now: float) -> "QuerySet[Tournament]":
    return Tournament.objects.filter(due_at__lte=now)


@works_on(_due)
def go_on() -> None:
    """Begin tournaments, pair rounds, and end what is played to its end."""
    for number in list(_due(clock.now()).values_list("pk", flat=True)):
        rounds.go_on(number)


def _leaving(now: float) -> "QuerySet[Entrant]":
    del now
    going = Entrant.objects.filter(is_in=True, tournament__state__in=_GOING)
    return going.exclude(leaving=Entrant.Leaving.NOT)


def _erased(now: float) -> "QuerySet[Entrant]":
    del now
    staying = Entrant.objects.filter(is_in=True, leaving="", tournament__state__in=_GOING)
    return staying.filter(guest__is_erased=True)


@works_on(_leaving, _erased)
def let_go() -> None:
    """Take those out who are to leave, and those who are erased."""
    now = clock.now()
    _erased(now).update(leaving=Entrant.Leaving.ERASED)
    for entrant in _leaving(now).select_related("tournament"):
        take_out(entrant)


def _repeating(now: float) -> "QuerySet[Tournament]":
    del now
    return Tournament.objects.filter(next_at__isnull=False).exclude(state=Tournament.State.OPEN)


@works_on(_repeating)
def open_next_editions() -> None:
    """Open the next editions of tournaments that have begun and come again."""
    for number in list(_repeating(clock.now()).values_list("pk", flat=True)):
        repeats.open_next(number)


def _late(now: float) -> "QuerySet[Round]":
    return Round.objects.filter(is_over=False, ends_at__lte=now)


@works_on(_late)
def end_late_rounds() -> None:
    """End rounds whose days are over: whoever is to act loses, until the game is over."""
    games = Game.objects.filter(round__in=_late(clock.now()), is_over=False).select_related("round", "table")
    for game in games:
        _end(game)


def _end(game: Game) -> None:
    while not selectors.find_table(game.table.code).is_over:
        if not end_with_round(game.table):
            return
