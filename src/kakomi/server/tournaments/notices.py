"""Notices of tournaments, each written in the transaction of the event."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from django.urls import reverse

from kakomi.core.i18n import lazy_message
from kakomi.server.notices.services import notify, notify_all, text_reference
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import table_of
from kakomi.server.tournaments.models import Entrant, Game, Tournament
from kakomi.server.tournaments.selectors import first_due
from kakomi.session.time_control import DAY


def _data(row: Tournament) -> dict[str, Any]:
    return {"tournament": text_reference(row, "name"), "address": address_of(row)}


def address_of(row: Tournament) -> str:
    """The address of a tournament's page."""
    return reverse("tournament", args=[row.code])


def notify_round(row: Tournament, number: int, entrant: Entrant, table: Table) -> None:
    """Notify an entrant that their game of a round has begun, with the deadline of their first turn."""
    if entrant.guest_id is not None:
        data = {"tournament": text_reference(row, "name"), "round": str(number), **_start_of(table, entrant)}
        notify(entrant.guest_id, "tournament_round", f"{row.code}.{number}", data, table=table)


def _start_of(table: Table, entrant: Entrant) -> dict[str, Any]:
    """The deadline of an entrant's first turn, and the consequence of missing it."""
    limit = table_of(table).start.limit
    if limit is None:
        return {}
    if entrant.guest and (due := first_due(table, entrant.guest)):
        return {"title": _ACT_BY, "until": due}
    unit, title = (DAY, _WITHIN_DAYS) if limit >= DAY else (60.0, _WITHIN_MINUTES)
    return {"title": title, "count": round(limit / unit)}


_ACT_BY = lazy_message("Move by {until} or you lose the game.")
_WITHIN_DAYS = lazy_message("Once it’s your turn, move within {count} days or you lose the game.")
_WITHIN_MINUTES = lazy_message("Once it’s your turn, move within {count} minutes or you lose the game.")


def notify_bye(row: Tournament, number: int, entrant: Entrant) -> None:
    """Notify an entrant that they sit out a round."""
    if entrant.guest_id is not None:
        data = {**_data(row), "round": str(number)}
        notify(entrant.guest_id, "tournament_bye", f"{row.code}.{number}", data)


def notify_correction(row: Tournament, game: Game, places: Sequence[int], *, is_rated: bool) -> None:
    """Notify the players of a game that its result was corrected, and whether ratings follow."""
    title = str(_RATINGS_FOLLOW) if is_rated else ""
    words = text_reference(row.log.get(number=row.version), "reason")
    for seat in game.table.seats.filter(guest__isnull=False, guest__is_erased=False):
        details = {"round": str(game.round.number), "place": str(places[seat.number])}
        data = {**_data(row), **details, "words": words, "title": title}
        notify(
            seat.guest_id or 0, "tournament_corrected", f"{row.code}.{row.version}", data, table=game.table
        )


_RATINGS_FOLLOW = lazy_message("Ratings will be updated.")


def notify_removal(entrant: Entrant, *, may_return: bool) -> None:
    """Notify an entrant that they are no longer paired, why, and after an absence whether they can return."""
    row = entrant.tournament
    if entrant.guest_id is not None:
        was_absent = entrant.leaving == Entrant.Leaving.ABSENT
        title = _ABSENT[may_return] if was_absent else _REMOVED[entrant.leaving]
        data = {**_data(row), "title": title}
        notify(entrant.guest_id, "tournament_removed", f"{row.code}.{row.version}", data)


_REMOVED: Mapping[str, str] = {
    Entrant.Leaving.REMOVED: lazy_message("The organiser removed you."),
    Entrant.Leaving.SUSPENDED: lazy_message("You can’t start this kind of game for now."),
}
_ABSENT: Mapping[bool, str] = {
    True: lazy_message(
        "You lost your game by not making your first move in time. You can rejoin on the tournament’s page."
    ),
    False: lazy_message(
        "You lost your game by not making your first move in time. You have no more games in this tournament."
    ),
}


def notify_knocked_out(row: Tournament, names: Collection[str]) -> None:
    """Notify entrants, by name in the log, once that they play no further round, unless they have left."""
    out = row.entrants.filter(number__in=map(int, names), is_in=True, leaving="", guest__isnull=False)
    notify_all(sorted(out.values_list("guest", flat=True)), "tournament_out", row.code, _data(row))


class FinalPlace(NamedTuple):
    """A final place, out of how many."""

    place: int
    among: int
    is_of_group: bool


def notify_tournament_end(
    row: Tournament, winners: Collection[str], places: Mapping[str, FinalPlace]
) -> None:
    """Notify the organiser, and all entrants who stayed or have a place, that a tournament is over or
    cancelled. The notice has the entrant's place, or says that they have won.

    `winners` and the keys of `places` are names in the log.
    """
    kind = "tournament_over" if row.state == Tournament.State.OVER else "tournament_cancelled"
    gone = (Entrant.Leaving.REMOVED, Entrant.Leaving.ERASED)
    notices: dict[int, tuple[str, dict[str, Any]]] = {row.organiser_id: (kind, {})}
    for each in row.entrants.filter(guest__isnull=False).exclude(leaving__in=gone):
        data = {}
        found = places.get(each.name)
        if each.leaving == Entrant.Leaving.OWN and not found:
            continue
        if found:
            title = _PLACE_IN_GROUP if found.is_of_group else _PLACE
            data = {"title": title, "place": str(found.place), "count": str(found.among)}
        notices[each.guest_id or 0] = "tournament_won" if each.name in winners else kind, data
    for guest in sorted(notices):
        kind, data = notices[guest]
        notify(guest, kind, row.code, {**_data(row), **data})


_PLACE = lazy_message("Your place: {place} of {count}.")
_PLACE_IN_GROUP = lazy_message("Your place in your group: {place} of {count}.")
