"""`kakomi report`: what it plays, writes and prints."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kakomi.cli.main import kakomi as program

Run = Callable[..., Result]
QUICK = ("rin", "--size", "4", "--budget", "1s", "--jobs", "1")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder shared by all tests, so that they reuse each other's games."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: Path) -> Run:
    """Runs `kakomi report` in this process, in its own folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return lambda *args: CliRunner().invoke(
        program, ["report", *args, *(["--keep", str(kept)] if args[0] == "rin" else [])]
    )


def test_it_writes_a_page_and_says_in_short_what_is_in_it(report: Run, tmp_path: Path) -> None:
    done = report(*QUICK)
    assert done.exit_code == 0, done.output
    assert "Black wins" in done.stdout and "Written to rin-size4.html" in done.stdout
    assert "would bring" in done.stdout
    text = (tmp_path / "rin-size4.html").read_text()
    assert text.startswith("<!DOCTYPE html>") and "kakomi report rin --size 4 --budget 1s --seed 1" in text


def test_the_same_games_on_more_processes_make_the_same_page(report: Run, tmp_path: Path) -> None:
    report(*QUICK)
    first = (tmp_path / "rin-size4.html").read_bytes()
    again = CliRunner().invoke(
        program, ["report", *QUICK[:-1], "2", "--keep", str(tmp_path / "other"), "--out", "again.html"]
    )
    assert again.exit_code == 0, again.output
    assert (tmp_path / "again.html").read_bytes() == first


def test_numbers_go_to_programs(report: Run) -> None:
    data = json.loads(report(*QUICK, "--format", "json", "--out", "-").stdout)
    assert data["game"] == "rin" and data["sections"][0]["numbers"][0]["games"] > 0


def test_what_was_studied_of_the_board_is_in_chapters(report: Run, tmp_path: Path) -> None:
    asked = ("--bot", "random", "--count", "5", "--jobs", "1")
    for size in ("4", "6"):
        done = CliRunner().invoke(program, ["study", "openings", "rin", "--size", size, *asked])
        assert done.exit_code == 0, done.output
    data = json.loads(report(*QUICK, "--format", "json", "--out", "-").stdout)
    (chapter,) = [one for one in data["sections"] if one["key"].startswith("study-")]
    assert chapter["title"] == "First turns of random, asked 5 times"
    assert report(*QUICK).exit_code == 0
    page = (tmp_path / "rin-size4.html").read_text()
    assert "Studies of this board" in page and chapter["title"] in page and "Where random begins" in page


def test_options_are_compared(report: Run, tmp_path: Path) -> None:
    done = report("rin", "--size", "4", "--budget", "2s", "--compare", "size=4,6", "--out", "both.json")
    assert done.exit_code == 0, done.output
    data = json.loads((tmp_path / "both.json").read_text())
    section = next(section for section in data["sections"] if section["key"] == "comparison")
    assert section["figures"][0]["columns"] == ["number", "size 4", "size 6"]
    assert "--compare size=4,6" in data["origin"]["command"]


def test_games_of_ones_own_are_told_of(report: Run, kept: Path, tmp_path: Path) -> None:
    played = CliRunner().invoke(
        program,
        ["match", "random", "1", "--game", "rin", "--size", "4", "--games", "4", "--records", "games"],
    )
    assert played.exit_code == 0
    done = report("--games", "games", "--out", "own.html")
    assert done.exit_code == 0, done.output
    assert "of these games" in done.stdout
    assert "as recorded" in (tmp_path / "own.html").read_text()


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ([], "name a GAME"),
        (["rin", "--budget", "soon"], "10m or 2h"),
        (["chess"], "no game 'chess'"),
        (["rin", "--size", "5"], "size 5 isn't possible"),
        (["rin", "--compare", "7,9"], "such as size=7,9"),
        (["rin", "--compare", "size=5"], "size '5' isn't possible"),
        (["rin", "--compare", "komi=2"], "no option 'komi'"),
        (["rin", "--out", "rin.txt"], "end in .html or .json"),
        (["rin", "--out", "no/folder/rin.html"], "there is no folder"),
        (["--games", "nowhere"], "'nowhere' does not exist"),
        (["--games", ".", "--compare", "size=7"], "use either --compare"),
        (["--games", "."], "no games in it"),
    ],
)
def test_what_cannot_be_done_is_said_at_once(report: Run, args: list[str], told: str) -> None:
    refused = CliRunner().invoke(program, ["report", *args])
    assert refused.exit_code in (1, 2) and told in refused.output
    assert "Traceback" not in refused.output
