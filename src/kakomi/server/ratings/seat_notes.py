"""Ratings beside the names at a table: while it is rated, and what became of them after the end."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext

from kakomi.contest import Rating
from kakomi.server.ratings import models, selectors
from kakomi.server.ratings.pools import levels_of
from kakomi.server.tables import models as tables
from kakomi.session import MatchConfig, TimeControl


def ratings_beside_names(row: tables.Table, seats: Sequence[tables.Seat]) -> Mapping[int, str]:
    """The ratings of those who play for one; once the result has been taken in, before and after."""
    if not row.is_rated:
        return {}
    if row.is_over and (result := selectors.result_of(row)):
        entrants = selectors.entrants_of(result)
        if all(hasattr(entrant, "change") for entrant in entrants):
            return {entrant.seat: _changed(entrant) for entrant in entrants}
    return _known(row, seats)


def _known(row: tables.Table, seats: Sequence[tables.Seat]) -> dict[int, str]:
    game = MatchConfig.from_json(row.begun["terms"]).game
    size_class = game.description.size_class(game.options) or ""
    pace = TimeControl.from_json(row.begun["time"]).pace
    levels = levels_of(row.game, size_class)
    pool = selectors.find_pool(row.game, size_class, pace)
    guests = [seat.guest_id for seat in seats if seat.guest_id is not None]
    known = selectors.ratings_in(pool, guests) if pool else {}
    notes = {}
    for seat in seats:
        if seat.bot in levels:
            notes[seat.number] = in_points(levels[seat.bot])
        elif seat.guest_id in known:
            notes[seat.number] = in_points(known[seat.guest_id].rating)
        elif seat.guest_id is not None:
            notes[seat.number] = gettext("no rating yet")
    return notes


def in_points(rating: Rating) -> str:
    """A rating with its 95 % interval, as it stands everywhere: `1523 ± 80`, with a `?` while provisional."""
    words = gettext("{mean} ± {reach}").format(mean=round(rating.mean), reach=round(rating.reach))
    return f"{words} ?" if rating.is_provisional else words


def _changed(entrant: models.Entrant) -> str:
    change = entrant.change
    if not change.counted:
        return in_points(change.after)
    said = gettext("{before} → {after}")
    return said.format(before=round(change.mean_before), after=in_points(change.after))
