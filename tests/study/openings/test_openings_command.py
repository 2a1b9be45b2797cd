"""`kakomi openings`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kakomi.cli.main import kakomi as program
from kakomi.study.openings import OpeningStudy

QUICK = ("rin", "--size", "4", "--bot", "2", "--jobs", "1")


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def run(*args: str) -> Result:
    return CliRunner().invoke(program, ["openings", *args], standalone_mode=False)


def test_people_read_a_table_and_programs_an_object(tmp_path: Path) -> None:
    picture = tmp_path / "map.svg"
    told = run(*QUICK, "--searches", "30", "--out", str(picture))
    assert told.exception is None, told.output
    lines = told.stdout.splitlines()
    assert lines[0] == "Rin · size 4 · level 2, asked 30 times"
    assert "3 of 3 first turns came, 16 positions in all; the searches expect" in lines[1]
    assert lines[3].split()[:4] == ["first", "turn", "positions", "came"]
    assert "not corrected" in told.stdout and "Holm" in told.stdout
    found = json.loads(run(*QUICK, "--searches", "30", "--json").stdout)
    rows = found["first_turns"]
    assert [row["turn"] for row in sorted(rows, key=lambda row: row["turn"])] == ["0,0", "0,1", "1,1"]
    assert sum(row["count"] for row in rows) == found["searches"] == 30
    assert sum(row["share"]["value"] for row in rows) == pytest.approx(1, abs=1e-4)
    assert [line.split()[2] for line in lines[4:7]] == [str(row["count"]) for row in rows]
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_replies_are_told_of_the_most_frequent() -> None:
    told = run(*QUICK, "--searches", "12", "--turns", "2").stdout
    assert told.count("\nAfter ") == 3 and " replies:" in told
    rows = json.loads(run(*QUICK, "--searches", "12", "--turns", "2", "--json").stdout)["first_turns"]
    for row in rows:
        assert sum(reply["count"] for reply in row["replies"]) == row["count"]
        assert all(len(reply["turn"].split()) == 2 for reply in row["replies"])


def test_first_turns_are_solved_where_that_is_asked_for() -> None:
    told = run("rive", "--size", "2", "--bot", "4", "--searches", "10", "--exact", "--jobs", "1").stdout
    assert "best play" in told and "+1" in told and "Of the best margin: " in told
    found = json.loads(
        run(
            "rive", "--size", "2", "--bot", "4", "--searches", "10", "--exact", "--json", "--jobs", "1"
        ).stdout
    )
    assert {row["turn"]: row["margin"] for row in found["first_turns"]} == {"b2": 1, "a1": -3}
    assert found["exact"]["best"]["even"] == pytest.approx(1 / 7, abs=1e-5)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("rin", "--bot", "nobody"), "nobody"),
        (("rin", "--bot", "12"), "rin has no level 12"),
        (("chess",), "there is no game 'chess'"),
        (("rin", "--size", "5"), "size"),
        (("rin", "--searches", "0"), "--searches"),
        (("rin", "--turns", "3"), "--turns"),
        (("rin", "--out", "map.png"), "the picture is an SVG file, such as map.svg"),
        (("rin", "--out", "nowhere/map.svg"), "there is no folder nowhere"),
        (("rings", "--size", "2", "--players", "3", "--exact"), "first turns are solved among two"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_line(args: tuple[str, ...], told: str) -> None:
    error = run(*args).exception
    assert error is not None
    message = f"{getattr(error, 'param_hint', '')} {error.format_message()}"  # type: ignore[attr-defined]
    assert told in message and "\n" not in message


def test_ctrl_c_tells_what_is_there_and_the_same_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = OpeningStudy.run

    def interrupted(self: OpeningStudy, farm: object, file: Path, tell: object) -> object:
        def stop(done: int) -> None:
            if done == 2:
                raise KeyboardInterrupt

        return whole(self, farm, file, stop)

    monkeypatch.setattr(OpeningStudy, "run", interrupted)
    told = run(*QUICK, "--searches", "5")
    assert told.exception is None and "asked 2 times" in told.stdout
    assert "stopped; searches are kept in" in told.stderr
    monkeypatch.setattr(OpeningStudy, "run", whole)
    gone_on = run(*QUICK, "--searches", "5", "--json").stdout
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "new"))
    assert run(*QUICK, "--searches", "5", "--json").stdout == gone_on
