"""A short season in simulated time, on processes that are killed."""

import threading
from pathlib import Path

import pytest

from season.__main__ import DATABASES, play
from season.course import Plan, SeasonFolder
from server.services import POSTGRES, REDIS, require


class StopAfter(threading.Event):
    """An event that acts like Ctrl-C after some steps."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self._left = steps

    def is_set(self) -> bool:
        self._left -= 1
        return self._left < 0


@pytest.mark.parametrize("database", DATABASES)
def test_a_short_season_is_in_order(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    require(REDIS)
    if database == "postgres":
        require(POSTGRES)
    plan = Plan(days=3, people=10, processes=2, kills=6, outages=1, absences=1, blips=6)
    assert play(plan, database) == 0, capsys.readouterr().out
    assert "entries" in capsys.readouterr().out


def test_a_season_that_is_stopped_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = Plan(days=0.5, people=6, processes=1, kills=2, outages=0, absences=1, blips=2)
    assert play(plan, "sqlite", tmp_path, StopAfter(5)) == 0
    assert "goes on" in capsys.readouterr().out
    folder = SeasonFolder(tmp_path / "sqlite")
    assert folder.load(plan).step == 5
    assert play(plan, "sqlite", tmp_path) == 0, capsys.readouterr().out
    course = folder.load(plan)
    assert (course.step, course.sittings) == (plan.steps, 2)
