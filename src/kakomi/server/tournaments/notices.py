"""Notices of tournaments, each written with what it tells of."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from django.urls import reverse

from kakomi.core.i18n import lazy_message
from kakomi.server.notices.services import kept_in, notify, notify_all
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import table_of
from kakomi.server.tournaments.models import Entrant, Game, Tournament
from kakomi.server.tournaments.selectors import first_due
from kakomi.session.time_control import DAY


def _data(row: Tournament) -> dict[str, Any]:
    return {"tournament": kept_in(row, "name"), "address": address_of(row)}


def address_of(row: Tournament) -> str:
    """The page of a tournament."""
    return reverse("tournament", args=[row.code])


def tell_round(row: Tournament, number: int, entrant: Entrant, table: Table) -> None:
    """Somebody hears that their game of a round has begun, and by when they have to act."""
    if entrant.guest_id is not None:
        data = {"tournament": kept_in(row, "name"), "round": str(number), **_start_of(table, entrant)}
        notify(entrant.guest_id, "tournament_round", f"{row.code}.{number}", data, table=table)


def _start_of(table: Table, entrant: Entrant) -> dict[str, Any]:
    """How long somebody has for their first turn, and what it costs them not to keep that."""
    limit = table_of(table).start.limit
    if limit is None:
        return {}
    if entrant.guest and (due := first_due(table, entrant.guest)):
        return {"title": _ACT_BY, "until": due}
    unit, title = (DAY, _WITHIN_DAYS) if limit >= DAY else (60.0, _WITHIN_MINUTES)
    return {"title": title, "count": round(limit / unit)}


_ACT_BY = lazy_message("Act by {until}, or you lose the game.")
_WITHIN_DAYS = lazy_message("Once it is your turn, act within {count} days, or you lose the game.")
_WITHIN_MINUTES = lazy_message("Once it is your turn, act within {count} minutes, or you lose the game.")


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


def tell_removed(entrant: Entrant, *, may_return: bool) -> None:
    """Somebody hears that they are not paired any more, why, and whether they can return after an absence."""
    row = entrant.tournament
    if entrant.guest_id is not None:
        was_absent = entrant.leaving == Entrant.Leaving.ABSENT
        title = _ABSENT[may_return] if was_absent else _REMOVED[entrant.leaving]
        data = {**_data(row), "title": title}
        notify(entrant.guest_id, "tournament_removed", f"{row.code}.{row.version}", data)


_REMOVED: Mapping[str, str] = {
    Entrant.Leaving.REMOVED: lazy_message("The director has removed you."),
    Entrant.Leaving.SUSPENDED: lazy_message("For now you may begin no such games."),
}
_ABSENT: Mapping[bool, str] = {
    True: lazy_message("You didn’t begin your game in time, and lost it. You can return on its page."),
    False: lazy_message("You didn’t begin your game in time, and lost it. No further game awaits you."),
}


def tell_out(row: Tournament, names: Collection[str]) -> None:
    """Those of some names in the log hear, once, that they play no further round, unless they have left."""
    out = row.entrants.filter(number__in=map(int, names), is_in=True, leaving="", guest__isnull=False)
    notify_all(sorted(out.values_list("guest", flat=True)), "tournament_out", row.code, _data(row))


class Came(NamedTuple):
    """The place somebody came in, among how many."""

    place: int
    among: int
    is_of_group: bool


def tell_ended(row: Tournament, winners: Collection[str], came: Mapping[str, Came]) -> None:
    """All who stayed or have a place, and the organiser, hear that a tournament is over or called off: the
    winners that they won, the others in which place they came.

    `winners` and `came` have names in the log.
    """
    kind = "tournament_over" if row.state == Tournament.State.OVER else "tournament_cancelled"
    gone = (Entrant.Leaving.REMOVED, Entrant.Leaving.ERASED)
    told: dict[int, tuple[str, dict[str, Any]]] = {row.organiser_id: (kind, {})}
    for each in row.entrants.filter(guest__isnull=False).exclude(leaving__in=gone):
        data = {}
        found = came.get(each.name)
        if each.leaving == Entrant.Leaving.OWN and not found:
            continue
        if found:
            title = _PLACE_IN_GROUP if found.is_of_group else _PLACE
            data = {"title": title, "place": str(found.place), "count": str(found.among)}
        told[each.guest_id or 0] = "tournament_won" if each.name in winners else kind, data
    for guest in sorted(told):
        kind, data = told[guest]
        notify(guest, kind, row.code, {**_data(row), **data})


_PLACE = lazy_message("Your place: {place} of {count}.")
_PLACE_IN_GROUP = lazy_message("Your place in your group: {place} of {count}.")
