"""A slow second calculation of flags: how much time a player really had."""

from collections.abc import Iterator, Sequence

from kakomi.session import Table
from kakomi.session.clock import LONGEST_PAUSE
from kakomi.session.events import outage_of, rest_of

Span = tuple[float, float]
DAY = 24 * 3600.0
LONGEST_MEMORY = 60 * DAY
"""Seconds that no turn of a season exceeds."""
SLACK = 11.0
"""Seconds by which the clocks of processes may differ, plus a margin."""
ROUNDING = 1.0
"""Seconds of tolerance for rounding in sums of a log's times."""


def flags_too_early(code: str, table: Table, outages: Sequence[Span]) -> Iterator[str]:
    """Yield flags that fell during a rest, a pause or an outage, or before a turn's time was up.

    Only time controls per turn give a turn's length independently; for the others, only the moment of the
    flag is checked. Each outage is measured by two clocks, which may both be wrong, so the log must report it
    to within `SLACK`. A turn's length is then calculated with the logged outages: with the true ones, the
    errors of all outages in a turn would add up.
    """
    flags: set[int] = set()
    for number, entry in enumerate(table.history):
        if entry.kind != "flag":
            continue
        seat = int(entry.value or 0)
        if seat in flags and len(table.match.games) == 1:
            yield f"seat {seat} of {code} was flagged twice"
        flags.add(seat)
        away = [*_time_off(table, number, seat, entry.at), *_pauses(table, number)]
        up_at = _time_up(table, number)  # the flag may fall later, on a visit
        if any(start + SLACK < up_at < end - SLACK for start, end in [*outages, *away]):
            yield f"the time of seat {seat} of {code} was up at {up_at} while clocks stood"
        if table.time and table.time.is_by_turn:
            began, away = _turn_began(table, number), [*away, *_downtimes(table, number)]
            had = seconds_had(began, entry.at, away)
            if had < table.time.initial - ROUNDING:
                yield f"seat {seat} of {code} was flagged after {had:.0f} s of {table.time.initial:.0f}"
            for first, last in outages:
                start, end = max(first, began) + SLACK, min(last, entry.at) - SLACK
                if start < end and (ran := seconds_had(start, end, away)):
                    yield f"the clock of seat {seat} of {code} ran for {ran:.0f} s of the outage {first:.0f}"


def _time_up(table: Table, number: int) -> float:
    """The deadline of the running clock, according to the log before an entry."""
    played = Table.from_json({**table.to_json(), "entries": []})
    for entry in table.history[:number]:
        played = played.apply(entry)
    assert played.clock is not None and played.clock.deadline is not None
    return played.clock.deadline


def _turn_began(table: Table, number: int) -> float:
    """The beginning of the turn that an entry ended: when that seat, or the bot in it, had to act.

    Actions of others that don't change the seat begin no turn, such as a takeback to the same seat, leaving a
    game of three, or agreeing to a pause.
    """
    played, began = Table.from_json({**table.to_json(), "entries": []}), table.begun_at
    for entry in table.history[:number]:
        before, played = _turn_of(played), played.apply(entry)
        if _turn_of(played) != before:
            began = entry.at
    return began


def _turn_of(table: Table) -> tuple[object, ...]:
    """A key that differs between consecutive turns."""
    match, seat = table.match, table.to_act
    return len(match.games), match.phase, seat, seat is not None and match.seats[seat].is_bot


def _downtimes(table: Table, number: int) -> Iterator[Span]:
    """The outages in the log before an entry."""
    told = (entry for entry in table.history[:number] if entry.kind == "downtime")
    return (outage_of(str(entry.value)) for entry in told)


def _time_off(table: Table, number: int, seat: int, until: float) -> Iterator[Span]:
    """Yield the vacations and weekends of a seat's owner in the log before an entry."""
    for entry in table.history[:number]:
        if entry.kind == "rest" and entry.seat == seat:
            since, calendar = rest_of(str(entry.value))
            yield from ((max(start, since), min(end, until)) for start, end in calendar.vacations)
            yield from _weekends(calendar.weekend, since, until)


def _weekends(days: Sequence[int], since: float, until: float) -> Iterator[Span]:
    """Yield the given weekdays (0 is Monday) between two times in UTC, skipping the distant past."""
    first = int(max(since, until - LONGEST_MEMORY) // DAY)
    for day in range(first, int(until // DAY) + 1):
        if (day + 3) % 7 in days:  # the first day of 1970 was a Thursday
            yield max(day * DAY, since), (day + 1) * DAY


def _pauses(table: Table, number: int) -> Iterator[Span]:
    """Yield the pauses agreed on before an entry, until resumed or for the maximum length."""
    played, began = Table.from_json({**table.to_json(), "entries": []}), None
    for entry in table.history[:number]:
        is_open, played = played.offer, played.apply(entry)
        if entry.kind != "accept" or is_open is None or played.offer is not None:
            continue  # not all have agreed yet
        if is_open.kind == "resume" and began is not None:
            yield began, entry.at
            began = None
        elif is_open.kind == "pause":
            began = entry.at
    if began is not None:
        yield began, began + LONGEST_PAUSE["days"]


def seconds_had(start: float, end: float, away: Sequence[Span]) -> float:
    """The seconds of a span outside the spans in `away`, which may overlap."""
    had, at = 0.0, start
    for first, last in sorted(away):
        if last <= at:
            continue
        if first > end:
            break
        had += max(min(first, end) - at, 0.0)
        at = max(at, last)
    return had + max(end - at, 0.0)
