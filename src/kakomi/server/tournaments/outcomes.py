"""What the end of a table means for its tournament."""

from typing import NamedTuple

from kakomi.contest import places
from kakomi.server.ratings.recording import places_of
from kakomi.session import Table


class Outcome(NamedTuple):
    """How a table ended for its tournament."""

    places: tuple[int, ...]
    absent: tuple[int, ...] = ()
    """The seats whose players did not come."""
    is_declined: bool = False
    """Whether somebody broke the game off, rather than stayed away."""


def outcome_of(before: Table, table: Table) -> Outcome:
    """What a table that has just ended comes to. Those who didn't begin it in time count as absent.

    In older logs a table could be called off before it began. The player who did that, or who was to act when
    the time to begin ran out, has lost it, and the others share the first place.
    """
    if table.ending is not None and table.ending.winners:
        game, acted = table.match.current_game, table.start.acted
        late = (each.seat for each in game.leavers if each.reason != "resignation" and each.seat not in acted)
        return Outcome(places_of(table.match), tuple(late) if len(table.match.games) == 1 else ())
    stopped = next((entry.seat for entry in reversed(table.history) if entry.kind == "abort"), None)
    seats = len(table.match.seats)
    return without(before.to_act, seats) if stopped is None else without(stopped, seats, is_declined=True)


def without(seat: int | None, seats: int, *, is_declined: bool = False) -> Outcome:
    """The outcome of a game to which a seat did not come; None: nobody is to blame."""
    left = () if seat is None else (seat,)
    return Outcome(places([0.0] * seats, left), left, is_declined)
