"""`kakomi komi`: what it plays, says and keeps."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kakomi.cli.main import kakomi as program

Run = Callable[..., Result]
QUICK = ("lin", "--size", "5", "--bot", "search:simulations=10", "--games", "20", "--jobs", "1")


@pytest.fixture
def komi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `kakomi komi` in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return lambda *args: CliRunner().invoke(program, ["komi", *args])


def test_it_tells_the_fair_komi_to_people_and_to_programs(komi: Run, tmp_path: Path) -> None:
    done = komi(*QUICK)
    assert done.exit_code == 0, done.output
    assert "Lin · size 5 · line 4 · search:simulations=10 with itself" in done.stdout
    assert "95% interval, 20 games" in done.stdout and "won by Black" in done.stdout
    (kept,) = (tmp_path / "state" / "kakomi" / "komi").iterdir()
    games = kept.read_bytes()

    data = json.loads(komi(*QUICK, "--json").stdout)
    assert kept.read_bytes() == games, "nothing is played twice"
    assert data["options"] == {"size": 5, "line": 4} and data["games"] == 20
    assert data["nearest"] in range(0, 25, 2)
    assert sum(row["games"] for row in data["komis"]) == 20
    assert all(0 <= row["won"] <= row["games"] for row in data["komis"])
    assert data["low"] is None or data["low"] <= data["fair"]


def test_games_are_kept_where_one_wishes(komi: Run, tmp_path: Path) -> None:
    assert komi(*QUICK, "--out", "games.jsonl").exit_code == 0
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 21
    refused = komi(*QUICK, "--seed", "2", "--out", "games.jsonl")
    assert refused.exit_code == 1 and "seed 1, not 2" in refused.output
    nowhere = komi(*QUICK, "--out", "no/such/folder/games.jsonl")
    assert isinstance(nowhere.exception, OSError) and nowhere.exception.filename.startswith("no/such")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["rin"], "rin has no komi"),
        (["chess"], "no game 'chess'"),
        (["lin", "--komi", "4"], "don't give one"),
        (["lin", "--bot", "nobody"], "no bot 'nobody'"),
        (["lin", "--games", "0"], "0 is not in the range"),
        (["lin", "--size", "6"], "size 6 isn't possible"),
    ],
)
def test_what_cannot_be_measured_is_said(komi: Run, args: list[str], told: str) -> None:
    refused = komi(*args)
    assert refused.exit_code == 2 and told in refused.output
