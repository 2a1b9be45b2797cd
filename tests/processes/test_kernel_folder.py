"""The folder of compiled code, while several processes use it and some are killed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernel.small import doubled_anew
from kernel.test_cache_folder import files, folder_holds

TESTS = Path(__file__).resolve().parents[1]
IN_A_PROCESS = (
    "from kernel.small import doubled_anew; print('ready', flush=True); input(); print(doubled_anew())"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for the test."""
    monkeypatch.setenv("KAKOMI_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def start(code: str) -> subprocess.Popen[str]:
    """A process with the same folder, which has imported what it needs."""
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
