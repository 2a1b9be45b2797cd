"""How long things last in a tournament: rounds, the wait for who doesn't come, batches of an arena."""

from kakomi.contest.tournament import Arena, Ladder
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
ARENA_START_SECONDS = 60.0
"""The same in an arena, where the others could play somebody else."""
BATCH_SECONDS = 3.0
"""An arena gathers those who are free for so long, then pairs them."""


def has_rounds(row: Tournament) -> bool:
    """Whether a round begins when the one before is over. In arenas and on ladders games begin any time."""
    return not isinstance(format_of(row), Arena | Ladder)


def start_seconds(row: Tournament) -> float | None:
    """The wait for a first turn, in seconds; None: as long as at any table."""
    if terms_of(row).pace == "days":
        return None
    return ARENA_START_SECONDS if isinstance(format_of(row), Arena) else START_SECONDS


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
