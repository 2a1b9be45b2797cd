"""`kakomi blunders`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kakomi.cli.main import kakomi as program
from kakomi.study.blunders import BlunderStudy

QUICK = ("rin", "--size", "4", "--bot", "1", "--bot", "random", "--play", "1", "--last", "10", "--jobs", "1")


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def run(*args: str) -> Result:
    return CliRunner().invoke(program, ["blunders", *args], standalone_mode=False)


def test_people_read_a_table_and_programs_an_object() -> None:
    told = run(*QUICK, "--games", "6")
    assert told.exception is None, told.output
    lines = told.stdout.splitlines()
    assert lines[0] == "Rin · size 4 · 6 games of level 1 with itself"
    assert lines[3].split() == ["actions", "left", "1–3", "4–6", "7–9", "10", "1–10"]
    assert [line[:14].strip() for line in lines[4:8]] == ["positions", "random play", "level 1", "random"]
    found = json.loads(run(*QUICK, "--games", "6", "--json").stdout)
    assert (found["games"], found["columns"]) == (6, [[1, 3], [4, 6], [7, 9], [10, 10]])
    assert [row["bot"] for row in found["bots"]] == ["1", "random"]
    everything = found["random"][-1]
    assert everything["positions"] == found["critical"] > 0
    assert everything["low"] < everything["value"] < everything["high"]
    assert lines[4].split()[1:] == [str(rate["positions"]) for rate in found["random"]]


def test_a_budget_that_is_spent_is_told() -> None:
    told = run("rin", "--size", "6", *QUICK[3:], "--games", "1", "--budget", "500")
    assert "In 1 game the solver didn't come so far back; --budget says how far it looks." in told.stdout


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("rings", "--size", "3", "--players", "3"), "results are proved between two players"),
        (("rin", "--bot", "nobody"), "nobody"),
        (("rin", "--bot", "1", "--bot", "1"), "a bot is named twice"),
    ],
)
def test_what_cannot_be_studied_is_refused(args: tuple[str, ...], told: str) -> None:
    assert told in str(run(*args).exception)


def test_ctrl_c_tells_what_is_there_and_the_same_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = BlunderStudy.run

    def interrupted(self: BlunderStudy, farm: object, file: Path, tell: object) -> object:
        def stop(done: int) -> None:
            if done == 2:
                raise KeyboardInterrupt

        return whole(self, farm, file, stop)

    monkeypatch.setattr(BlunderStudy, "run", interrupted)
    told = run(*QUICK, "--games", "5")
    assert told.exception is None and "2 games of level 1 with itself" in told.stdout
    assert "stopped; games are kept in" in told.stderr
    monkeypatch.setattr(BlunderStudy, "run", whole)
    gone_on = run(*QUICK, "--games", "5", "--json").stdout
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "new"))
    assert run(*QUICK, "--games", "5", "--json").stdout == gone_on
