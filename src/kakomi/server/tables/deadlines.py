"""How long the site waits: for people to sit down, to start, and when it warns of a clock."""

from collections.abc import Mapping, Sequence

from kakomi.server.tables import models
from kakomi.session import Pace, Table
from kakomi.session.events import QUIET
from kakomi.session.time_control import DAY

START_SECONDS: Mapping[Pace | None, float] = {"live": 300.0, "days": 7 * DAY, None: 30 * DAY}
"""For komi, colour and first turn, each; by the pace, None without a clock."""
SEATING_SECONDS: Mapping[Pace | None, float] = {"live": 7 * DAY, "days": 30 * DAY, None: 30 * DAY}
"""From the opening of a table until everybody sits."""
WARNING_SECONDS = DAY
"""Before a clock over days runs out; half of what is left when the turn begins, if that is less."""
NUDGE_SECONDS = 7 * DAY
"""After which somebody is reminded of a game without a clock."""


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


def warn_at(row: models.Table, table: Table) -> float | None:
    """The moment to warn the one to act, if they haven't been in this turn; None if there is none."""
    if table.to_act is None or table.match.seats[table.to_act].is_bot or row.warned == turn_number(table):
        return None
    if table.time is None:
        has_waiting = table.start.limit is not None and table.start.is_everybody_in(table.match)
        return turn_began(table) + NUDGE_SECONDS if has_waiting else None
    due = table.next_due()
    if table.time.pace != "days" or due is None:
        return None
    if table.time.nag:
        return turn_began(table) + table.time.nag
    return max(due - WARNING_SECONDS, (table.at + due) / 2)


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
