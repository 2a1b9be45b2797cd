"""Rests: the state of calendars at a time, and clocks that skip rests, compared with a slow reference."""

import datetime
import zoneinfo
from itertools import islice

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kakomi.session import Calendar, Refused
from kakomi.session.clock import Clock
from kakomi.session.time_control import TimeControl, counted, joined, moment_after

HOUR, DAY = 3600, 86400
MONDAY = 1_767_571_200  # 5 January 2026, midnight in UTC
BERLIN = ((0.0, HOUR), (1_774_746_000.0, 2 * HOUR), (1_792_890_000.0, HOUR))
"""Summer time from 29 March to 25 October 2026."""
WEEKEND = Calendar(weekend=(5, 6))
NIGHT = Calendar(sleep=(23 * 60, 7 * 60))


def spans_of(hours: list[int]) -> tuple[tuple[int, int], ...]:
    """Spans between consecutive pairs of hours."""
    return tuple(
        (MONDAY + HOUR * a, MONDAY + HOUR * b) for a, b in zip(hours[::2], hours[1::2], strict=False)
    )


calendars = st.builds(
    Calendar,
    offsets=st.sampled_from([(), BERLIN, ((0.0, -5 * HOUR),), ((0.0, 20_700),)]),
    weekend=st.sampled_from([(), (5, 6), (4, 5), (6,)]),
    sleep=st.none() | st.sampled_from([(23 * 60, 7 * 60), (0, 6 * 60), (13 * 60, 15 * 60), (22 * 60, 0)]),
    vacations=st.lists(st.integers(0, 400), max_size=6, unique=True).map(
        lambda hours: spans_of(sorted(hours))
    ),
)


def test_a_weekend_is_of_the_players_own_days() -> None:
    assert next(WEEKEND.spans(MONDAY)) == (MONDAY + 5 * DAY, MONDAY + 7 * DAY)
    east = Calendar(offsets=((0.0, 9 * HOUR),), weekend=(5, 6))
    assert next(east.spans(MONDAY)) == (MONDAY + 5 * DAY - 9 * HOUR, MONDAY + 7 * DAY - 9 * HOUR)


def test_sleep_goes_on_over_midnight_and_joins_a_weekend() -> None:
    assert list(islice(NIGHT.spans(MONDAY), 2)) == [
        (MONDAY, MONDAY + 7 * HOUR),
        (MONDAY + 23 * HOUR, MONDAY + DAY + 7 * HOUR),
    ]
    both = Calendar(weekend=(5, 6), sleep=(23 * 60, 7 * 60))
    friday = MONDAY + 4 * DAY + 12 * HOUR
    assert next(both.spans(friday)) == (friday + 11 * HOUR, friday + 2 * DAY + 19 * HOUR)


def test_a_night_with_a_change_of_time_is_an_hour_shorter_or_longer() -> None:
    calendar = Calendar("Europe/Berlin", BERLIN, sleep=(23 * 60, 7 * 60))
    for change, hours in ((BERLIN[1][0], 7), (BERLIN[2][0], 9)):
        start, end = next(calendar.spans(change - 12 * HOUR))
        assert end - start == hours * HOUR
        zone = zoneinfo.ZoneInfo("Europe/Berlin")
        told = [datetime.datetime.fromtimestamp(at, zone).strftime("%H:%M") for at in (start, end)]
        assert told == ["23:00", "07:00"]


@settings(max_examples=60, deadline=None)
@given(calendars, st.integers(0, 300 * DAY))
def test_spans_say_what_the_calendar_says_of_each_moment(calendar: Calendar, after: int) -> None:
    start = MONDAY + after
    spans = list(islice(calendar.spans(start), 12))
    assert spans == list(joined(spans))
    known = spans[-1][1] if len(spans) == 12 else start + 20 * DAY
    for at in range(start, int(min(known, start + 9 * DAY)), 1799):
        in_span = any(first <= at < last for first, last in spans)
        assert in_span == (calendar.reason(at) is not None), at


@settings(max_examples=60, deadline=None)
@given(calendars, st.integers(0, 20 * DAY), st.integers(1, 3000))
def test_a_deadline_is_where_a_slow_count_of_minutes_ends(
    calendar: Calendar, after: int, minutes: int
) -> None:
    start = MONDAY + 60 * (after // 60)
    at, left = start, minutes
    while left:
        left -= calendar.reason(at) is None
        at += 60
    due = moment_after(start, 60.0 * minutes, calendar.spans(start))
    assert due == at
    assert counted(start, due, calendar.spans(start)) == 60.0 * minutes


@settings(max_examples=60, deadline=None)
@given(calendars, st.floats(1, 5 * DAY), st.lists(st.floats(0, DAY), max_size=5))
def test_looking_at_a_clock_in_between_changes_nothing(
    calendar: Calendar, left: float, steps: list[float]
) -> None:
    time = TimeControl(10 * DAY, kind="total")
    clock = Clock(time, (left, 0.0), MONDAY, 0, frozenset({0}), calendars=(calendar, Calendar()))
    due = clock.deadline
    assert due is not None
    for step in steps:
        assume(clock.since + step < due)
        clock = clock.at(clock.since + step)
    assert clock.deadline == pytest.approx(due, abs=1e-3)
    assert clock.at(due).remaining(due)[0] == pytest.approx(0, abs=1e-3)


def test_a_standing_clock_says_when_it_goes_on() -> None:
    time = TimeControl(3 * DAY, kind="days")
    saturday = MONDAY + 5 * DAY
    clock = Clock(time, (3.0 * DAY,) * 2, MONDAY, 0, frozenset({0, 1}), calendars=(WEEKEND, Calendar()))
    assert clock.stands_until(MONDAY) is None
    assert clock.stands_until(saturday) == MONDAY + 7 * DAY
    assert clock.stands_until(saturday - 1) is None
    assert clock.running_for(1).stands_until(saturday) is None
    assert clock.at(saturday - DAY).running_for(1).at(saturday).running_for(0).deadline == MONDAY + 10 * DAY


@given(calendars)
def test_a_calendar_comes_back_from_its_text(calendar: Calendar) -> None:
    assert Calendar.from_text(calendar.to_text()) == calendar
    assert Calendar.from_text(calendar.to_text()).to_text() == calendar.to_text()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"weekend":[4,5,6]}',
        '{"weekend":[7]}',
        '{"weekend":[5,5]}',
        '{"weekend":["5"]}',
        '{"sleep":[0,0]}',
        '{"sleep":[0,721]}',
        '{"sleep":[0,1440]}',
        '{"sleep":[1]}',
        '{"vacations":[[2,1]]}',
        '{"vacations":[[1,3],[2,4]]}',
        '{"vacations":[[1,NaN]]}',
        '{"vacations":5}',
        '{"offsets":[[5,0],[5,0]]}',
        '{"offsets":[[0,86400]]}',
        "[" * 5000,
    ],
)
def test_data_that_is_no_calendar_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        Calendar.from_text(text)
