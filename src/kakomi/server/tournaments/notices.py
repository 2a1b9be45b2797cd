"""Notices of tournaments, each written with what it tells of."""

from collections.abc import Collection, Sequence
from typing import Any

from django.urls import reverse

from kakomi.core.i18n import lazy_message
from kakomi.server.notices.services import kept_in, notify
from kakomi.server.tables.models import Table
from kakomi.server.tournaments.models import Entrant, Game, Tournament


def _data(row: Tournament) -> dict[str, Any]:
    return {"tournament": kept_in(row, "name"), "address": address_of(row)}


def address_of(row: Tournament) -> str:
    """The page of a tournament."""
    return reverse("tournament", args=[row.code])


def tell_round(row: Tournament, number: int, entrant: Entrant, table: Table) -> None:
    """Somebody hears that their game of a round has begun."""
    if entrant.guest_id is not None:
        data = {"tournament": kept_in(row, "name"), "round": str(number)}
        notify(entrant.guest_id, "tournament_round", f"{row.code}.{number}", data, table=table)


def tell_bye(row: Tournament, number: int, entrant: Entrant) -> None:
    """Somebody hears that they sit a round out."""
    if entrant.guest_id is not None:
        data = {**_data(row), "round": str(number)}
        notify(entrant.guest_id, "tournament_bye", f"{row.code}.{number}", data)


def tell_corrected(row: Tournament, game: Game, places: Sequence[int], *, is_rated: bool) -> None:
    """Those who played a game hear that its result was corrected, and whether ratings follow."""
    title = str(_RATINGS_FOLLOW) if is_rated else ""
    words = kept_in(row.log.get(number=row.version), "reason")
    for seat in game.table.seats.filter(guest__isnull=False, guest__is_erased=False):
        told = {"round": str(game.round.number), "place": str(places[seat.number])}
        data = {**_data(row), **told, "words": words, "title": title}
        notify(
            seat.guest_id or 0, "tournament_corrected", f"{row.code}.{row.version}", data, table=game.table
        )


_RATINGS_FOLLOW = lazy_message("Ratings follow.")


def tell_removed(entrant: Entrant) -> None:
    """Somebody hears that they are not paired any more."""
    row = entrant.tournament
    if entrant.guest_id is not None:
        notify(entrant.guest_id, "tournament_removed", f"{row.code}.{row.version}", _data(row))


def tell_ended(row: Tournament, winners: Collection[str]) -> None:
    """All who stayed, and the organiser, hear that a tournament is over or called off; winners that they won.

    `winners` are names in the log.
    """
    kind = "tournament_over" if row.state == Tournament.State.OVER else "tournament_cancelled"
    staying = row.entrants.filter(is_in=True, guest__isnull=False)
    kinds = {row.organiser_id: kind} | {
        each.guest_id: "tournament_won" if each.name in winners else kind
        for each in staying
        if each.guest_id is not None
    }
    for guest in sorted(kinds):
        notify(guest, kinds[guest], row.code, _data(row))
