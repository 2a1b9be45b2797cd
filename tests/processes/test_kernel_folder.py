"""The folder of compiled code, while several processes use it and some are killed."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import pytest

import kakomi
from kernel.small import doubled_anew
from kernel.test_cache_folder import files, folder_holds

TESTS = Path(__file__).resolve().parents[1]
IN_A_PROCESS = (
    "from kernel.small import doubled_anew; print('ready', flush=True); input(); print(doubled_anew())"
)

IN_TWO_THREADS = """
import numpy as np
from kakomi.research import VectorEnv

env = VectorEnv("rin", 4, threads=2)
print(env.step(np.arange(4)).to_move.tolist())
"""
UNKNOWN_USER = 4242
PACKAGES = [str(Path(module.__file__ or "").parents[1]) for module in (kakomi, numba)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate folder for the test."""
    monkeypatch.setenv("KAKOMI_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def start(code: str) -> subprocess.Popen[str]:
    """Start a process with the same folder, and wait until it has done its imports."""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_two_processes_compile_at_once(folder: Path) -> None:
    both = [start(IN_A_PROCESS), start(IN_A_PROCESS)]
    for process in both:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    said = sorted(process.communicate(timeout=120) for process in both)
    assert said == [("compiled\n", ""), ("found\n", "")], "one waits for the other"
    assert folder_holds(folder) == {".kernel"} and len(files(folder)) == 1
    assert doubled_anew() == "found"


def test_a_process_killed_while_writing_leaves_no_half_file(folder: Path) -> None:
    killed = start("import os; os.replace = lambda *paths: os._exit(9); " + IN_A_PROCESS)
    killed.communicate("\n", timeout=120)
    assert killed.returncode == 9 and folder_holds(folder) == {".tmp", ".lock"}
    assert doubled_anew() == "compiled"
    assert doubled_anew() == "found"


def test_numba_caches_of_others_stay_where_they_were(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.py").write_text(
        "import numba\n@numba.njit(cache=True)\ndef one():\n    return 1\n"
    )
    before = f"import sys; sys.path.append({str(tmp_path)!r}); from elsewhere import one; one(); "
    other = start(before + IN_A_PROCESS + "; one()")
    assert other.communicate("\n", timeout=120) == ("compiled\n", "")
    assert list((tmp_path / "__pycache__").glob("elsewhere.one-*.nbi"))
    assert folder_holds(folder) == {".kernel"}


def test_two_threads_that_first_use_the_same_drivers(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IN_TWO_THREADS],
        env=os.environ | {"KAKOMI_KERNEL": "compiled"},
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("[1, 1, 1, 1]\n", "")
    assert folder_holds(folder) == {".kernel"}


def as_an_unknown_user(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program as a container may: as a user without a name or home directory, who can't write to the
    package's folder."""
    if not hasattr(os, "getuid") or os.getuid() != 0:
        pytest.skip("only root can become another user")
    user: dict[str, Any] = {"user": UNKNOWN_USER, "group": UNKNOWN_USER, "extra_groups": []}
    user["env"] = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(PACKAGES)} | environment
    command = [_python_for(user), "-m", "kakomi", *map(str, arguments)]
    return subprocess.run(command, cwd="/", capture_output=True, text=True, **user)


def _python_for(user: dict[str, Any]) -> str:
    """This interpreter, or the system's if only its owner may run this one."""
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        with contextlib.suppress(OSError):
            if subprocess.run([python, "-c", "import numba, kakomi"], cwd="/", **user).returncode == 0:
                return python
    pytest.skip("other users can't start Python with these packages")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may write to, unlike pytest's."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        yield Path(name)


GAMES = ("match", "random", "random", "--game", "rin", "--size", "4", "--games", "2", "--jobs", "1")


def test_an_unknown_user_without_a_home_plays_games(open_folder: Path) -> None:
    games, cache = open_folder / "games.jsonl", open_folder / "cache"
    done = as_an_unknown_user(*GAMES, "--out", games, KAKOMI_CACHE_DIR=str(cache))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr and "can't be kept" not in done.stderr
    assert len(games.read_text().splitlines()) == 3 and list(cache.glob("*.kernel"))


def test_without_any_folder_games_are_played_all_the_same(open_folder: Path) -> None:
    games = open_folder / "games.jsonl"
    done = as_an_unknown_user(*GAMES, "--out", games)
    assert done.returncode == 0, done.stderr
    assert len(games.read_text().splitlines()) == 3
    assert done.stderr.count("Compiled code can't be kept (there is no home directory") == 1
    assert "KAKOMI_CACHE_DIR" in done.stderr


def test_what_can_only_be_kept_in_a_home_says_what_to_do() -> None:
    done = as_an_unknown_user("cache", "info")
    assert (done.returncode, done.stderr) == (0, "") and "KAKOMI_CACHE_DIR" in done.stdout
    done = as_an_unknown_user(*GAMES)
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("kakomi: ")]
    assert "there is no home directory to save anything in; set XDG_STATE_HOME to a folder" in line
    assert "Traceback" not in done.stderr
