"""Notices of tournaments, each written with what it tells of."""

from django.urls import reverse

from kakomi.server.notices.services import notify
from kakomi.server.tables.models import Table
from kakomi.server.tournaments.models import Entrant, Tournament


def _data(row: Tournament) -> dict[str, str]:
    return {"tournament": row.name, "address": reverse("tournament", args=[row.code])}


def tell_round(row: Tournament, number: int, entrant: Entrant, table: Table) -> None:
    """Somebody hears that their game of a round has begun."""
    if entrant.guest_id is not None:
        data = {"tournament": row.name, "round": str(number)}
        notify(entrant.guest_id, "tournament_round", f"{row.code}.{number}", data, table=table)


def tell_bye(row: Tournament, number: int, entrant: Entrant) -> None:
    """Somebody hears that they sit a round out."""
    if entrant.guest_id is not None:
        data = {**_data(row), "round": str(number)}
        notify(entrant.guest_id, "tournament_bye", f"{row.code}.{number}", data)


def tell_removed(entrant: Entrant) -> None:
    """Somebody hears that they are not paired any more."""
    row = entrant.tournament
    if entrant.guest_id is not None:
        notify(entrant.guest_id, "tournament_removed", f"{row.code}.{row.version}", _data(row))


def tell_ended(row: Tournament) -> None:
    """All who stayed, and the organiser, hear that a tournament is over or called off."""
    kind = "tournament_over" if row.state == Tournament.State.OVER else "tournament_cancelled"
    staying = row.entrants.filter(is_in=True, guest__isnull=False).values_list("guest", flat=True)
    for guest in sorted({row.organiser_id, *(number for number in staying if number is not None)}):
        notify(guest, kind, row.code, _data(row))
