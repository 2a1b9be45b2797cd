"""The files of a season, and whether its audit of time finds faults."""

from pathlib import Path

import pytest

from kakomi import catalog
from kakomi.session import Entry, MatchConfig, Seat, Table, TimeControl
from kakomi.session.events import EventKind, outage_value
from season import reckoning
from season.course import Plan, SeasonFolder, kept_lines
from season.holes import EXPECTED, holes
from season.shared_clock import SharedClock

DAY = 24 * 3600.0


def test_a_folder_keeps_how_far_a_season_has_come(tmp_path: Path) -> None:
    plan, folder = Plan(days=2), SeasonFolder(tmp_path)
    course = folder.load(plan)
    course.step, course.outages = 7, [(1.0, 2.0)]
    course.deeds["turn"] += 3
    course.waiting = [{"letter": {"data": "Hello"}, "step": 9}]
    acts = [{"code": "abc", "key": key, "kind": "act"} for key in ("first", "second")]
    folder.save(plan, course, [*acts, {"key": "third", "kind": "say"}])
    assert folder.load(plan) == course
    with folder.done.open("a") as file:
        file.write('{"code": "ab')  # killed while writing
    assert list(kept_lines(folder.done, "act")) == acts and len(list(kept_lines(folder.done))) == 3
    assert not list(kept_lines(folder.mails)), "no mail has come yet"
    with pytest.raises(SystemExit, match="another season"):
        folder.load(Plan(days=3))


def test_an_audit_that_has_seen_nothing_says_so() -> None:
    figures = dict.fromkeys(EXPECTED, 1)
    assert not list(holes(Plan(days=8, people=40), figures)) and not list(holes(Plan(days=2), {}))
    assert len(list(holes(Plan(days=8, people=40), {**figures, "tournaments over": 0}))) == 1
    assert not list(holes(Plan(days=30, people=500, looks=0.1), {})), "games are slow there"
    assert len(list(holes(Plan(days=365, people=500, looks=0.1), {}))) == len(EXPECTED)


def test_a_clock_is_shared(tmp_path: Path) -> None:
    first, second = SharedClock(tmp_path / "clock"), SharedClock(tmp_path / "clock")
    first.set(1.5e9)
    assert second.now() == 1.5e9


def test_time_is_reckoned_without_what_lies_within_others() -> None:
    away = [(10.0, 20.0), (15.0, 30.0), (90.0, 200.0), (5.0, 8.0)]
    assert reckoning.seconds_had(0.0, 100.0, away) == 100 - 20 - 10 - 3


def test_a_pause_begins_when_the_last_has_agreed() -> None:
    config = MatchConfig(catalog.game("rings", players=3))
    table = Table.begun(config, [Seat()] * 3, time=TimeControl(2 * DAY, kind="days"))
    for seat in (0, 1, 2):
        while table.to_act == seat:
            table = table.apply(Entry(seat, "play", table.match.position.legal()[0], 1.0))
    for at, (seat, kind, value) in enumerate(
        ((0, "offer", "pause"), (1, "accept", None), (2, "accept", None), (1, "offer", "resume")), 10
    ):
        table = table.apply(Entry(seat, kind, value, float(at)))
    assert reckoning._turn_began(table, table.entries) == 1.0, "a pause ends nobody's turn"
    (pause,) = reckoning._pauses(table, table.entries)
    assert pause == (12.0, 12.0 + 30 * DAY)
    assert not list(reckoning._pauses(table, table.entries - 2))


def _rings_for_three(**terms: str) -> Table:
    """A game of three after everybody's first turn, at time 1, with seat 0 to act."""
    config = MatchConfig(catalog.game("rings", players=3), **terms)
    table = Table.begun(config, [Seat()] * 3, time=TimeControl(2 * DAY, kind="days"))
    for seat in (0, 1, 2):
        while table.to_act == seat:
            table = table.apply(Entry(seat, "play", table.match.position.legal()[0], 1.0))
    return table


@pytest.mark.parametrize(
    ("terms", "log", "began"),
    [
        ({}, [(1, "resign", None)], 1.0),
        ({}, [(0, "resign", None)], 100.0),
        ({"leavers": "5"}, [(0, "resign", None)], 100.0),
        ({"leavers": "5"}, [(2, "resign", None)], 1.0),
        ({}, [(0, "offer", "takeback"), (1, "accept", None), (2, "accept", None)], 1.0),
        ({}, [(2, "offer", "takeback"), (0, "accept", None), (1, "accept", None)], 102.0),
    ],
)
def test_a_turn_begins_when_it_falls_to_somebody(
    terms: dict[str, str], log: list[tuple[int, EventKind, str | None]], began: float
) -> None:
    table = _rings_for_three(**terms)
    for at, (seat, kind, value) in enumerate(log, 100):
        table = table.apply(Entry(seat, kind, value, float(at)))
    assert reckoning._turn_began(table, table.entries) == began


def test_a_turn_that_is_taken_back_to_its_own_player_goes_on() -> None:
    config = MatchConfig(catalog.game("lin", size=9))
    table = Table.begun(config, [Seat()] * 2, time=TimeControl(2 * DAY, kind="days"))
    for at, seat in enumerate((0, 1, 0, 1), 1):
        table = table.apply(Entry(seat, "play", table.match.position.legal()[0], float(at)))
    for at, (seat, kind, value) in enumerate(((0, "offer", "takeback"), (1, "accept", None)), 100):
        table = table.apply(Entry(seat, kind, value, float(at)))
    assert table.to_act == 0 and reckoning._turn_began(table, table.entries) == 4.0
    assert table.clock and table.clock.deadline == 4.0 + 2 * DAY, "and the site says the same"


def _flagged(*downtimes: tuple[float, float], at: float) -> Table:
    """A table where seat 0 has two days from time 0, and is flagged at time `at`."""
    config = MatchConfig(catalog.game("lin", size=9))
    table = Table.begun(config, [Seat()] * 2, time=TimeControl(2 * DAY, kind="days"))
    for seat in (0, 1):
        table = table.apply(Entry(seat, "play", table.match.position.legal()[0], 0.0))
    for outage in downtimes:
        table = table.apply(Entry(None, "downtime", outage_value(outage), outage[1]))
    return table.apply(Entry(None, "flag", 0, at))


def _findings(table: Table, *outages: tuple[float, float]) -> list[str]:
    return list(reckoning.flags_too_early("code", table, outages))


def test_a_flag_may_fall_late_but_no_clock_may_run_out_while_it_stands() -> None:
    table = _flagged(at=2 * DAY + 3600)
    assert not _findings(table)
    assert not _findings(table, (2 * DAY + 4000, 3 * DAY)), "that is after the flag"
    up, ran = _findings(table, (2 * DAY - 3600, 3 * DAY))
    assert "while clocks stood" in up and "of the outage" in ran


def test_several_outages_may_each_be_told_of_a_little_wrong_but_not_one_by_much() -> None:
    outages = [(hour * 3600.0, (hour + 2) * 3600.0) for hour in (2, 10, 20)]
    told = [(first + 5.0, last - 5.0) for first, last in outages]
    away = sum(last - first for first, last in told)
    table = _flagged(*told, at=2 * DAY + away)
    assert not _findings(table, *outages), "30 s early by the true outages, and right by the log"
    [ran] = _findings(table, *outages[:2], (outages[2][0] - 60, outages[2][1]))
    assert "ran for 54 s of the outage" in ran
    [ran] = _findings(table, *outages, (30 * 3600.0, 31 * 3600.0))
    assert "ran for 3578 s of the outage" in ran


def test_no_flag_falls_before_what_the_log_tells_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    table = _flagged((3600.0, 7200.0), at=2 * DAY + 3600)
    assert not _findings(table)
    monkeypatch.setattr(reckoning, "_downtimes", lambda table, number: [(3600.0, 7210.0)])
    [early] = _findings(table)
    assert "was flagged after 172790 s of 172800" in early
