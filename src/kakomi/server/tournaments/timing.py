"""How long things last in a tournament: rounds, and the wait for who doesn't come.

And so when the site has to look at it again.
"""

from functools import partial

from django.db import transaction

from kakomi.contest.tournament import Ladder
from kakomi.server import clock
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.tournaments import GO_ON
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.terms import format_of, table_sizes, terms_of
from kakomi.session import TimeControl
from kakomi.session.time_control import DAY

TURNS = 60
"""The turns of a seat for which a live round leaves time."""
LONGEST_ROUND = 4 * 3600.0
"""No live round lasts longer, in seconds."""
START_SECONDS = 180.0
"""For so long a live game waits for somebody's first turn."""


def has_rounds(row: Tournament) -> bool:
    """Whether a round begins when the one before is over. On ladders games begin at any time."""
    return not isinstance(format_of(row), Ladder)


def start_seconds(row: Tournament) -> float | None:
    """The wait for a first turn, in seconds; None: as long as at any table."""
    return START_SECONDS if terms_of(row).pace == "live" else None


def round_seconds(row: Tournament) -> float:
    """After so long, in seconds, a round ends in any case."""
    if row.round_days:
        return row.round_days * DAY
    terms = terms_of(row)
    return live_round_seconds(terms.control, table_sizes(format_of(row), terms)[1])


def live_round_seconds(control: TimeControl, seats: int) -> float:
    """What a live game of 60 turns each takes at most by its clocks, and the wait for its beginning."""
    a_turn = control.initial if control.is_by_turn else control.increment
    of_seat = (0.0 if control.is_by_turn else control.full) + TURNS * a_turn
    return min(LONGEST_ROUND, START_SECONDS + seats * of_seat)


def make_due(row: Tournament) -> None:
    """Have the site look at a locked tournament at once."""
    row.due_at = clock.now()
    row.save(update_fields=["due_at"])
    transaction.on_commit(partial(JOBS.wake, GO_ON))
