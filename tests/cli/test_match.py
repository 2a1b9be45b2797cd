"""`kakomi match`: what it plays, prints and saves."""

import errno
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kakomi.cli.main import kakomi as program
from kakomi.study.matches import GameLog, GameLogError, Pairing, Played

Run = Callable[..., Result]
PAIR = ("random", "simulations:20", "--game", "rin", "--size", "4")


@pytest.fixture
def match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `kakomi match` in this process, in its own folder; its workers are processes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return lambda *args: CliRunner().invoke(program, ["match", *args])


def test_a_match_of_two_is_played_kept_and_told(match: Run, tmp_path: Path) -> None:
    terms = (*PAIR, "--games", "5", "--records", "records", "--out", "match.jsonl")
    data = json.loads(match(*terms, "--json").stdout)
    pair = data["pairs"][0]
    assert data["games"] == 6 and pair["wins"] + pair["draws"] + pair["losses"] == 6
    assert 0 <= pair["low"] <= pair["score"] <= pair["high"] <= 1
    assert len((tmp_path / "match.jsonl").read_text().splitlines()) == 7
    assert len(list((tmp_path / "records").iterdir())) == 6
    shown = CliRunner().invoke(program, ["show", "records/game-0001.json"])
    assert shown.exit_code == 0 and "simulations:20" in shown.output

    kept = (tmp_path / "match.jsonl").read_bytes()
    again = match(*terms)
    assert again.exit_code == 0 and "6 games" in again.stdout and "A–B" in again.stdout
    assert (tmp_path / "match.jsonl").read_bytes() == kept

    refused = match(*terms, "--seed", "2")
    assert refused.exit_code == 1 and "seed 1, not 2" in refused.output


def test_a_bot_plays_itself_under_two_names(match: Run, tmp_path: Path) -> None:
    asked = ("random", "random", *PAIR[2:], "--games", "4", "--records", "records", "--json")
    data = json.loads(match(*asked).stdout)
    assert data["entrants"] == ["random", "random (2)"] and data["games"] == 4
    record = json.loads((tmp_path / "records" / "game-0002.json").read_text())
    assert record["seats"] == [{"name": "random (2)", "bot": "random"}, {"name": "random", "bot": "random"}]


def test_three_are_rated_and_failures_named(match: Run, tmp_path: Path) -> None:
    pytest.importorskip("choix")
    stub = Path(__file__).parent.parent / "protocol" / "stub_engine.py"
    done = match("random", "simulations:20", f"cmd:{sys.executable} {stub} exits", *PAIR[2:], "--games", "2")
    assert done.exit_code == 0
    assert "C forfeits: it ended with exit code 3" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [row[0] for row in rows if row and row[0] in ("A–B", "A–C", "B–C")] == ["A–B", "A–C", "B–C"]
    assert rows[4][0] == "C"  # the last by rating
    assert list((tmp_path / "state" / "kakomi" / "matches").iterdir())


def test_a_sequential_test_stops_the_match(match: Run) -> None:
    done = match("simulations:30", "random", *PAIR[2:], "--sprt", "-600,0", "--games", "400", "--jobs", "1")
    assert "A is +0 Elo from B rather than -600" in done.stdout
    assert "of 400 games" in done.stdout


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["random", *PAIR[2:]], "at least two"),
        (["random", "nobody", *PAIR[2:]], "no bot 'nobody'"),
        (["random", "20", *PAIR[2:]], "rin has no level 20"),
        (["random", "cmd:", *PAIR[2:]], "names no program"),
        (["random", "cmd:/no/such/program x", *PAIR[2:]], "no program '/no/such/program'"),
        (["random", "cmd:'x", *PAIR[2:]], "No closing quotation"),
        (["random", "1", "--game", "chess"], "no game 'chess'"),
        ([*PAIR, "--size", "5"], "size 5 isn't possible"),
        ([*PAIR, "--sprt", "50"], "two Elo differences"),
        ([*PAIR, "--sprt", "50,0"], "must be smaller"),
        (["random", "1", "2", *PAIR[2:], "--sprt", "0,50"], "works with exactly two bots"),
        ([*PAIR, "--games", "0"], "0 is not in the range"),
        ([*PAIR, "--patience", "nan"], "--patience"),
    ],
)
def test_what_cannot_be_played_is_said(match: Run, args: list[str], told: str) -> None:
    refused = match(*args)
    assert refused.exit_code == 2 and told in refused.output


def test_a_file_that_cannot_be_written_is_named(match: Run) -> None:
    refused = match(*PAIR, "--out", "no/such/folder/match.jsonl")
    assert refused.exit_code == 1
    assert "no/such/folder/match.jsonl: No such file or directory; nothing was saved" in refused.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device here")
def test_a_device_is_no_file_to_keep_games_in(match: Run) -> None:
    """Reading it would never end."""
    refused = match(*PAIR, "--out", "/dev/full")
    assert refused.exit_code == 1
    assert "/dev/full: this isn't a file that lines can be saved in; nothing was saved" in refused.stderr


def test_a_disk_that_fills_up_is_named_and_how_the_match_goes_on(
    match: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, log = [], tmp_path / "match.jsonl"

    def add(self: GameLog, played: Played) -> None:
        if len(kept) == 1:
            raise OSError(errno.ENOSPC, "No space left on device", str(log))
        kept.append(played)

    monkeypatch.setattr(GameLog, "add", add)
    stopped = match(*PAIR, "--games", "4", "--out", str(log), "--jobs", "1")
    assert stopped.exit_code == 1
    assert f"{log}: No space left on device; 1 games are saved; run the same command with --out {log}" in (
        stopped.stderr
    )


TERMS = {"game": "rin"}
PLAYED = Played(
    pairing=Pairing(
        number=1, game="rin", options={"size": 4}, seats=("a", "b"), opening=0, opening_plies=1, seed=0
    ),
    opening=0,
    actions=("0,0",),
    winners=(0,),
    scores=(1, 0),
    reason="counted",
    efforts=(),
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A match file with two games."""
    path = tmp_path / "match.jsonl"
    with GameLog(path, TERMS) as log:
        log.add(PLAYED)
        log.add(PLAYED)
    return path


def test_empty_lines_and_a_byte_order_mark_are_passed_over(log: Path) -> None:
    """Editors on other systems leave them."""
    lines = log.read_bytes().splitlines()
    log.write_bytes(b"\xef\xbb\xbf" + b"\r\n\r\n".join([*lines, b""]))
    with GameLog(log, TERMS) as again:
        assert again.rows == [PLAYED, PLAYED]
        again.add(PLAYED)
    with GameLog(log, TERMS) as again:
        assert again.rows == [PLAYED] * 3


@pytest.mark.parametrize("damage", [b"{}", b"[" * 100_000, b'{"pairing"', b"\xff"])
def test_a_damaged_line_is_named_with_what_helps(damage: bytes, log: Path) -> None:
    head, first, second = log.read_bytes().splitlines()
    log.write_bytes(b"\n".join([head, first, damage, second, b""]))
    wanted = rf"^{re.escape(str(log))}: line 3 is damaged \(.+\); without that line the match goes on$"
    with pytest.raises(GameLogError, match=wanted):
        GameLog(log, TERMS)


@pytest.mark.parametrize("content", [b"[" * 100_000, b"[" * 100_000 + b"\n", b"hello\n", b'{"a": 1}\n'])
def test_a_file_of_something_else_is_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "n.json"
    path.write_bytes(content)
    with pytest.raises(GameLogError, match=r"n\.json: it is no file of a match$"):
        GameLog(path, TERMS)
    assert path.read_bytes() == content
