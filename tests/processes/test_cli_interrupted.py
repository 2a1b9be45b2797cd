"""Long commands that are interrupted or killed: their messages, their files, and resuming them."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.terminal import Terminal, heed_ctrl_c, wait_until_at_work
from cli.test_main import without_announcements
from kakomi.cli.main import kakomi as program
from waiting import until

PAIR = ("random", "simulations:20", "--game", "rin", "--size", "4")


def started(folder: Path) -> subprocess.Popen[str]:
    """Start a long match in its own process group, and wait until some games are finished."""
    command = [sys.executable, "-m", "kakomi", "match", *PAIR, "--games", "4000", "--out", "match.jsonl"]
    running = subprocess.Popen(
        command,
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=dict(os.environ),
        preexec_fn=heed_ctrl_c,
    )
    log = folder / "match.jsonl"

    def has_games() -> bool:
        assert running.poll() is None
        return log.exists() and len(log.read_bytes()) >= 1_500

    until(has_games, "some games of a match", seconds=120)
    return running


def is_gone(group: int) -> bool:
    """Whether a process group has ended."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_ctrl_c_says_how_to_go_on_and_leaves_nobody_behind(tmp_path: Path) -> None:
    running = started(tmp_path)
    os.killpg(running.pid, signal.SIGINT)
    said = running.communicate(timeout=60)[1]
    assert running.returncode == 130
    assert "--out match.jsonl to continue" in said and "Traceback" not in said
    until(lambda: is_gone(running.pid), "the end of all its workers")


def test_a_kill_leaves_nobody_behind_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = started(tmp_path)
    running.kill()
    running.communicate(timeout=60)
    until(lambda: is_gone(running.pid), "the end of all its workers")
    kept = (tmp_path / "match.jsonl").read_bytes().count(b"\n") - 1
    monkeypatch.chdir(tmp_path)
    more = ["--games", str(kept + 4), "--out", "match.jsonl", "--json"]
    goes_on = CliRunner().invoke(program, ["match", *PAIR, *more])
    assert json.loads(goes_on.stdout)["games"] >= kept + 4


def test_ctrl_c_makes_the_page_of_what_is_there(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "kakomi",
        "report",
        "rin",
        "--size",
        "4",
        "--budget",
        "5m",
        "--keep",
        "kept",
    ]
    running = subprocess.Popen(
        [*command, "--out", "page.html"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=dict(os.environ),
        preexec_fn=heed_ctrl_c,
    )

    def has_games() -> bool:
        assert running.poll() is None
        return sum(path.stat().st_size for path in (tmp_path / "kept").glob("*.jsonl")) >= 40_000

    until(has_games, "some games of a report", seconds=120)
    os.killpg(running.pid, signal.SIGINT)
    output, errors = running.communicate(timeout=120)
    assert running.returncode == 0, errors
    assert "the same command plays the" in output and "Traceback" not in errors
    assert "stopped early" in (tmp_path / "page.html").read_text()


def test_ctrl_c_says_that_nothing_is_kept() -> None:
    counting = subprocess.Popen(
        [sys.executable, "-m", "kakomi", "perft", "rin", "12"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_ctrl_c,
    )
    wait_until_at_work(counting.pid)
    counting.send_signal(signal.SIGINT)
    out, err = counting.communicate(timeout=60)
    assert counting.returncode == 130
    assert out == b""
    assert without_announcements(err.decode()).strip() == "kakomi: stopped; nothing was saved"


def test_a_bot_that_thinks_long_can_be_hurried(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "rin", "--size", "4", "--bot", "time:600")
    try:
        terminal.prompted()
        terminal.child.sendline("0,0")
        for _ in range(2):
            terminal.child.expect("White is thinking; Ctrl-C to play now")
            terminal.interrupt()
        assert re.search(r"White plays \d,\d \d,\d\.", terminal.prompted())
    finally:
        terminal.close()
