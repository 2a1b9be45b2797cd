"""Queries for games that were compared with level 10."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import QuerySet

from kakomi.server.accounts.models import Guest
from kakomi.server.moderation.models import Comparison
from kakomi.server.moderation.suspicions import LEAST_TURNS, Agreement


@dataclass(frozen=True)
class ComparedGame:
    """A game of somebody that was compared to its end."""

    code: str
    at: float
    """When it ended."""
    agreement: Agreement


def compared_by_guest(since: float) -> dict[int, list[ComparedGame]]:
    """The compared games that ended since a moment, by guest, the last first."""
    games: dict[int, list[ComparedGame]] = defaultdict(list)
    for row in _rows(since):
        if row.entrant.guest_id is not None:
            games[row.entrant.guest_id].append(_compared(row))
    return dict(games)


def compared_games(guest: Guest, since: float) -> list[ComparedGame]:
    """Somebody's compared games that ended since a moment, the last first."""
    return [_compared(row) for row in _rows(since).filter(entrant__guest=guest)]


def _rows(since: float) -> "QuerySet[Comparison]":
    rows = Comparison.objects.filter(
        is_done=True,
        turns__gte=LEAST_TURNS,
        entrant__result__ended_at__gt=since,
        entrant__result__is_annulled=False,
    )
    return rows.select_related("entrant__result__table").order_by("-entrant__result__ended_at", "-pk")


def _compared(row: Comparison) -> ComparedGame:
    result = row.entrant.result
    return ComparedGame(result.table.code, result.ended_at, Agreement(row.agreed, row.turns, row.expected))
