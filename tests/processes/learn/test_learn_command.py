"""`kakomi learn` as a person uses it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from learn.needs import needed
from waiting import until

needed("torch")
needed("onnxruntime")

WAIT = 180.0
"""The timeout in seconds."""
KILLS = int(os.environ.get("KAKOMI_LEARN_KILLS", "3"))


def learn(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "kakomi", "learn", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def said(*words: str) -> tuple[int, str]:
    """Run the command, and return its exit code and output."""
    process = learn(*words)
    out, errors = process.communicate(timeout=WAIT)
    return process.returncode, out + errors


def lines(path: Path) -> list[str]:
    """The complete lines in a file so far."""
    return path.read_text().split("\n")[:-1] if path.exists() else []


def wait_for_more(process: subprocess.Popen[str], games: Path, count: int) -> None:
    """Wait until a run has stored more than `count` games."""

    def has_more() -> bool:
        assert process.poll() is None, process.communicate()
        return len(lines(games)) > count

    until(has_more, f"more than {count} games", WAIT)


def test_a_run_that_is_killed_loses_no_game(tmp_path: Path) -> None:
    games = tmp_path / "run" / "games.jsonl"
    words = ("rive", "--size", "2", "--out", str(tmp_path / "run"), "--hours", "1", "--jobs", "1")
    kept: list[str] = []
    for _ in range(KILLS):
        process = learn(*words)
        wait_for_more(process, games, len(kept))
        process.kill()
        process.communicate(timeout=WAIT)
        now = lines(games)
        assert now[: len(kept)] == kept and len(now) > len(kept)
        kept = now
    process = learn(*words)
    wait_for_more(process, games, len(kept))
    code, told = said(*words)
    assert code == 1 and "another run is going on in this folder" in told and "Traceback" not in told
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=WAIT)
    assert (
        process.returncode == 130
        and "run the same command to continue" in errors
        and "Traceback" not in errors
    )


def test_a_run_ends_with_so_many_checkpoints(tmp_path: Path) -> None:
    """From self-play alone, as in AlphaZero; the first checkpoint is untrained."""
    words = ("rive", "--size", "2", "--out", str(tmp_path), "--zero", "--visits", "4", "--jobs", "1")
    code, told = said(*words, "--rivals", "0.5", "--rounds", "2", "--no-matches")
    assert code == 0 and "2 checkpoints, the last one is" in told and "against level" not in told
    assert {path.name for path in (tmp_path / "checkpoints").glob("*.npz")} == {"0000.npz", "0001.npz"}
    kept = len(lines(tmp_path / "games.jsonl"))
    code, told = said(*words, "--rivals", "0.5", "--rounds", "2")
    assert code == 0 and "against level 1" in told and len(lines(tmp_path / "games.jsonl")) == kept, (
        "there is nothing left to do"
    )


def test_what_cannot_be_is_said_in_a_line(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    code, told = said("rive", "--size", "2", "--out", str(folder), "--hours", "0.001", "--jobs", "1")
    assert code == 0 and "run the same command to continue" in told
    (folder / "learner.pt").write_bytes(b"")
    code, told = said("rive", "--size", "2", "--out", str(folder), "--hours", "0.001", "--jobs", "1")
    assert code == 0 and "learner.pt is damaged" in told and "learning begins anew with the games" in told
    code, told = said("rive", "--size", "2", "--out", str(folder), "--seed", "2")
    assert code == 1 and "holds a run with other settings" in told and "Traceback" not in told
    code, told = said("rive", "--size-too", "99")
    assert code == 2 and "--size-too" in told
    code, told = said("rings", "--players-too", "9")
    assert code == 2 and "--players-too" in told and "2" in told and "6" in told
    code, told = said("rive", "--players-too", "3")
    assert code == 2 and "--players-too" in told and "Traceback" not in told
    for option, other in (("--patterns", "--mix"), ("--patterns", "--rivals"), ("--zero", "--teacher-games")):
        code, told = said("rive", option, other, "1")
        assert code == 2 and f"{other} has no effect with {option}" in told
    code, told = said("rive", "--seed", "-5")
    assert code == 2 and "--seed" in told and "-5" in told
    (tmp_path / "file").touch()
    code, told = said("rive", "--from", str(tmp_path / "file"))
    assert code == 2 and "--from" in told and "is no network" in told
    code, told = said("rive", "--out", str(tmp_path / "file"))
    assert code != 0 and "file" in told and "Traceback" not in told
