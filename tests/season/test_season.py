"""A short season, and whether its audit finds what is wrong."""

from pathlib import Path

import pytest

from kakomi import catalog
from kakomi.session import Entry, MatchConfig, Seat, Table, TimeControl
from season import reckoning
from season.__main__ import play
from season.course import Plan
from season.shared_clock import SharedClock

DAY = 24 * 3600.0


@pytest.mark.slow
def test_a_short_season_is_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    plan = Plan(days=3, people=10, processes=2, kills=6, outages=1, absences=1, blips=6)
    assert play(plan, "sqlite") == 0, capsys.readouterr().out
    assert "entries" in capsys.readouterr().out


def test_a_clock_is_shared(tmp_path: Path) -> None:
    first, second = SharedClock(tmp_path / "clock"), SharedClock(tmp_path / "clock")
    first.set(1.5e9)
    assert second.now() == 1.5e9


def test_time_is_reckoned_without_what_lies_within_others() -> None:
    away = [(10.0, 20.0), (15.0, 30.0), (90.0, 200.0), (5.0, 8.0)]
    assert reckoning._seconds_had(0.0, 100.0, away) == 100 - 20 - 10 - 3


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
