"""How long the site waits: for people to sit down, to start, and when it warns of a clock."""

from collections.abc import Mapping, Sequence

from kakomi.server import clock
from kakomi.server.tables import models
from kakomi.session import Pace, Table
from kakomi.session.events import QUIET
from kakomi.session.time_control import DAY

START_SECONDS: Mapping[Pace | None, float] = {"live": 300.0, "days": 7 * DAY, None: 30 * DAY}
"""For komi, colour and first turn, each; by the pace, None without a clock."""
SEATING_SECONDS: Mapping[Pace | None, float] = {"live": 7 * DAY, "days": 30 * DAY, None: 30 * DAY}
"""From the opening of a table until everybody sits."""
WARNING_SECONDS = DAY
"""Before a clock over days runs out; half of the time for the turn, if that is less."""
NUDGE_SECONDS = 7 * DAY
"""After which somebody is reminded of their turn, if a third of their time isn't less."""
LEAST_TURN = 3 * DAY
"""For a turn with less time there is one reminder."""
LEAST_WAIT = 2 * 3600.0
"""No reminder comes sooner after the beginning of a turn."""


def start_limit(people: Sequence[int | None], pace: Pace | None) -> float | None:
    """The limit for first decisions where two people or more play; None where somebody plays alone.

    `people` are the numbers of the guests on the seats that no bot has; None for a free one.
    """
    known = {person for person in people if person is not None}
    free = sum(person is None for person in people)
    return START_SECONDS[pace] if len(known) + free > 1 else None


def due_at(table: Table, *, is_free: bool) -> float | None:
    """The moment when the site has to act if nothing happens before."""
    if is_free and not table.is_over:
        pace = table.time.pace if table.time else None
        return None if table.start.limit is None else table.begun_at + SEATING_SECONDS[pace]
    return table.next_due()


def reminders(table: Table) -> tuple[float, ...]:
    """The moments at which the one to act is reminded: once a third of their time is used up, and before it
    runs out. Nobody is reminded while they rest."""
    if table.to_act is None or table.match.seats[table.to_act].is_bot:
        return ()
    began = max(turn_began(table), table.start.since)
    if table.time is None:
        has_waiting = table.start.limit is not None and table.start.is_everybody_in(table.match)
        return (began + NUDGE_SECONDS,) if has_waiting else ()
    due = table.next_due()
    if table.time.pace != "days" or due is None:
        return ()
    last = max(due - WARNING_SECONDS, (began + due) / 2)
    nag = table.time.nag
    first = began + (nag or min((due - began) / 3, NUDGE_SECONDS))
    first = (table.clock and table.clock.stands_until(first)) or first
    has_both = (nag or due - began >= LEAST_TURN) and first < last - LEAST_WAIT
    wanted = (first, last) if has_both else (first if nag else last,)
    return wanted if last >= began + LEAST_WAIT else ()


def warn_at(row: models.Table, table: Table) -> float | None:
    """The next moment to remind the one to act of the turn that they have; None if there is none."""
    moments, has_been = reminders(table), row.warned == turn_number(table)
    return next((moment for moment in moments if not has_been or moment > clock.now()), None)


def turn_number(table: Table) -> int:
    """A number of the turn that is waited for: the length of the log when it began."""
    number = table.entries
    for entry in reversed(table.history):
        if entry.kind not in QUIET and entry.kind not in _BESIDE:
            break
        number -= 1
    return number


def turn_began(table: Table) -> float:
    """The moment at which the turn that is waited for began."""
    number = turn_number(table)
    return table.history[number - 1].at if number else table.begun_at


_BESIDE = ("offer", "decline", "withdraw")
"""Entries after which the same decision is wanted as before."""
