"""Queries for tournaments."""

from django.db.models import Count, Q, QuerySet
from django.http import Http404

from kakomi.core.i18n import lazy_message
from kakomi.server.tournaments.models import Tournament

State = Tournament.State
SHOWN = 50
"""Tournaments of each kind in a list."""


def find_tournament(code: str) -> Tournament:
    """The tournament with a code. Raises Http404 if there is none."""
    row = Tournament.objects.select_related("organiser").filter(code=code).first()
    if row is None:
        raise Http404(lazy_message("There is no such tournament. The link may not be complete."))
    return row


def open_tournaments() -> "QuerySet[Tournament]":
    """Those that people enter, the next to begin first, with `present`, how many take part."""
    return _counted(Tournament.objects.filter(state=State.OPEN).order_by("begins_at", "pk"))


def running_tournaments() -> "QuerySet[Tournament]":
    """Those that are played, the last to begin first."""
    return _counted(Tournament.objects.filter(state=State.RUNNING).order_by("-begins_at", "-pk"))


def ended_tournaments() -> "QuerySet[Tournament]":
    """Those that are over or called off, the last first."""
    ended = Tournament.objects.filter(state__in=(State.OVER, State.CANCELLED))
    return _counted(ended.order_by("-ended_at", "-pk"))


def _counted(rows: "QuerySet[Tournament]") -> "QuerySet[Tournament]":
    return rows.annotate(present=Count("entrants", filter=Q(entrants__is_in=True)))[:SHOWN]
