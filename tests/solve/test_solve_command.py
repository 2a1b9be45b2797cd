"""`kakomi solve`."""

import json
import re
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kakomi.cli.main import kakomi as program
from kakomi.kernel import Mode


def run(*args: str) -> Result:
    return CliRunner().invoke(program, ["solve", *args], standalone_mode=False)


def test_a_solved_board(tmp_path: Path) -> None:
    work = str(tmp_path / "work")
    told = run("rive", "--size", "2", "--resume", work)
    assert told.return_value == 0
    assert told.stdout.startswith("Black: win, margin +1\nLine: ")
    again = run("rive", "--size", "2", "--resume", work, "--json", "--memory", "1")
    result = json.loads(again.stdout)
    assert (result["value"], result["outcome"], result["seat"]) == (1, "win", 1)
    assert result["collision_odds"] == 0
    assert len(result["line"]) >= 7


def test_a_limit_that_comes_first() -> None:
    told = run("rin", "--size", "6", "--seconds", "0")
    assert told.return_value == 3
    assert "unknown, margin not bounded; not solved yet" in told.stdout
    assert "Line" not in told.stdout


def test_a_game_that_is_cut_off_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ren's play is cut off late, and first solved with nearer limits."""
    monkeypatch.setattr("kakomi.solve.solver.SLICE", 500)
    monkeypatch.setattr(
        import_module("kakomi.kernel.driver"), "_default_mode", [Mode.INTERPRETED]
    )  # in the solver's thread too
    first = run("ren", "--size", "4", "--seconds", "0").stdout
    last = run("ren", "--size", "4", "--seconds", "0", "--at-least", "0").stdout
    assert re.search(r"if play is cut off and counted after \d+ plies; the limit is 64$", first, re.MULTILINE)
    assert "if play is cut off and counted after 64 plies\n" in last


@pytest.mark.parametrize(("at_least", "told"), [("-1", "margin at least "), ("3", "margin at most ")])
def test_one_question_alone(at_least: str, told: str) -> None:
    answer = run("rive", "--size", "2", "--at-least", at_least)
    assert answer.return_value == 0
    assert told in answer.stdout and "Line" not in answer.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["rive", "--size", "2", "--seat", "3"], "--seat 3: rive has seats 1 to 2"),
        (["rive", "--size", "2", "--from", "b2 b2"], "--from, action 2: b2 can't be played"),
        (["rive", "--size", "2", "--memory", "0"], "0.0 is not in the range"),
        (["rive", "--size", "2", "--resume", "pyproject.toml"], "pyproject.toml holds no work"),
        (["rin", "--size", "4", "--position", "bbbb/bbbb/bbbb/bbbb b"], "the game is over"),
        (["rives"], "did you mean rive?"),
    ],
)
def test_bad_input_gets_one_line(args: list[str], message: str) -> None:
    told = run(*args)
    assert message in str(told.exception)


def test_memory_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def has_none(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("kakomi.solve.Solver", has_none)
    told = run("rive", "--size", "2", "--memory", "150000")
    assert str(told.exception) == "--memory: 150000 MB aren't available"
