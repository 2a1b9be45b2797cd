"""Queries for tournaments."""

from typing import NamedTuple

from django.db.models import Count, QuerySet
from django.http import Http404

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, User
from kakomi.server.tournaments.models import Entrant, Tournament

State = Tournament.State
MOST_GOING = 3
"""Tournaments of one organiser that are open or running at a time."""
SHOWN = 50
"""Tournaments of each kind in a list."""


class Counted(NamedTuple):
    """A tournament, and how many take part."""

    row: Tournament
    present: int


def find_tournament(code: str) -> Tournament:
    """The tournament with a code. Raises Http404 if there is none."""
    row = Tournament.objects.select_related("organiser").filter(code=code).first()
    if row is None:
        raise Http404(lazy_message("There is no such tournament. The link may not be complete."))
    return row


def is_at_limit(organiser: Guest) -> bool:
    """Whether somebody has as many tournaments that are not over as there may be; staff may have more."""
    if User.objects.filter(guest=organiser, is_staff=True, is_active=True).exists():
        return False
    return organiser.tournaments.filter(state__in=(State.OPEN, State.RUNNING)).count() >= MOST_GOING


def open_tournaments() -> list[Counted]:
    """Those that people enter, the next to begin first."""
    return _counted(Tournament.objects.filter(state=State.OPEN).order_by("begins_at", "pk"))


def running_tournaments() -> list[Counted]:
    """Those that are played, the last to begin first."""
    return _counted(Tournament.objects.filter(state=State.RUNNING).order_by("-begins_at", "-pk"))


def ended_tournaments() -> list[Counted]:
    """Those that are over or called off, the last first."""
    ended = Tournament.objects.filter(state__in=(State.OVER, State.CANCELLED))
    return _counted(ended.order_by("-ended_at", "-pk"))


def _counted(rows: "QuerySet[Tournament]") -> list[Counted]:
    found = list(rows[:SHOWN])
    present = Entrant.objects.filter(tournament__in=found, is_in=True)
    counts = dict(present.order_by().values_list("tournament").annotate(Count("pk")))
    return [Counted(row, counts.get(row.pk, 0)) for row in found]
