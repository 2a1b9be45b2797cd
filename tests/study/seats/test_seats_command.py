"""`kakomi seats`: what it plays, says, keeps and refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kakomi.cli.main import kakomi as program

Run = Callable[..., Result]
QUICK = ("--bot", "search:simulations=10", "--games", "4", "--jobs", "1")


@pytest.fixture
def seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `kakomi seats` in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return lambda *args: CliRunner().invoke(program, ["seats", *args])


def test_it_tells_people_and_programs_the_same_and_plays_nothing_twice(seats: Run, tmp_path: Path) -> None:
    args = ("ren", "--sizes", "4,5", "--try", "lead=2", *QUICK)
    done = seats(*args)
    assert done.exit_code == 0, done.output
    assert "Ren · size 4 · rui limit 3 · lead 0 · search:simulations=10 with itself, 4 games" in done.stdout
    for told in ("Black wins", "margin of Black", "lead 2", "swap, foreseen", "match of two", "p = "):
        assert told in done.stdout
    folder = tmp_path / "state" / "kakomi" / "seats"
    kept = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert len(kept) == 6 and all(len(games.splitlines()) == 5 for games in kept.values())

    data = json.loads(seats(*args, "--json").stdout)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == kept
    assert [board["options"]["size"] for board in data["boards"]] == [4, 5]
    first = data["boards"][0]
    assert first["games"] == 4 and len(first["seats"]) == 1
    assert first["seats"][0]["low"] <= first["seats"][0]["value"] <= first["seats"][0]["high"]
    assert [one["name"] for one in first["repairs"]] == ["lead 2", "swap", "swap, foreseen", "match of two"]


def test_seats_of_several_players_sum_to_one(seats: Run) -> None:
    data = json.loads(seats("rings", "--size", "2", "--players", "2..4", "--json", *QUICK).stdout)
    assert [len(board["seats"]) for board in data["boards"]] == [1, 3, 4]
    for board in data["boards"][1:]:
        assert sum(seat["value"] for seat in board["seats"]) == pytest.approx(1, abs=1e-4)


def test_games_may_begin_elsewhere_and_be_kept_where_one_wishes(seats: Run, tmp_path: Path) -> None:
    text = "4/4/4/4 b left_in_turn=2"
    done = seats("rin", "--size", "4", "--position", text, "--keep", "games", *QUICK)
    assert done.exit_code == 0 and f"from {text}" in done.stdout and "repaired" not in done.stdout
    (kept,) = (tmp_path / "games").iterdir()
    assert len(kept.read_text().splitlines()) == 5


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["chess"], "no game 'chess'"),
        (["ren", "--sizes", "six"], "'six' should look like 3,4,6 or 3..6"),
        (["ren", "--sizes", "6..4"], "names 0 numbers"),
        (["ren", "--sizes", "6", "--size", "8"], "one size, or a list of them"),
        (["ren", "--sizes", "3"], "size 3 isn't possible"),
        (["ren", "--players", "3"], "ren has no option 'players'"),
        (["rings", "--players", "2..7"], "players 7 isn't possible"),
        (["ren", "--try", "lead"], "--try: 'lead' should look like lead=6"),
        (["ren", "--try", "komi=2"], "ren has no option 'komi'"),
        (["rings", "--players", "3", "--try", "size=2"], "for two"),
        (["ren", "--bot", "nobody"], "no bot 'nobody'"),
        (["ren", "--games", "1"], "1 is not in the range"),
        (["ren", "--size", "4", "--position", "4/4"], "rows"),
    ],
)
def test_what_cannot_be_studied_is_said_in_a_line(seats: Run, args: list[str], told: str) -> None:
    refused = seats(*args, "--jobs", "1")
    assert refused.exit_code == 2 and told in refused.output
