"""Compiled code on disk: never stale, used when nothing changed, and never in the way."""

import hashlib
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np
import pytest

import kakomi
from kakomi.kernel.driver_cache import modules_among

TESTS = Path(__file__).resolve().parent.parent
PACKAGE = TESTS.parent / "src" / "kakomi"
UNEDITED = "11111111"
RUN = "from tally.outcome import main; main()"


@dataclass
class Workshop:
    """Copies of the game `tally` and of Kakomi that a test may edit, and a cache of their own."""

    folder: Path

    @property
    def cache(self) -> Path:
        return self.folder / "cache"

    @property
    def kernels(self) -> list[Path]:
        return sorted(self.cache.glob("*.kernel"))

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.folder / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def start(self, code: str = RUN, **environment: str) -> subprocess.Popen:
        known = {"PATH": os.environ["PATH"], "HOME": str(self.folder / "home")}
        paths = {"PYTHONPATH": str(self.folder), "KAKOMI_CACHE_DIR": str(self.cache)}
        return subprocess.Popen(
            [sys.executable, "-B", "-c", code],  # Python's own cache misses two edits within a second
            env=known | paths | environment,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, code: str = RUN, **environment: str) -> tuple[str, str]:
        """What the game scored and what had to be compiled."""
        return answer(self.start(code, **environment))


def answer(process: subprocess.Popen) -> tuple[str, str]:
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert errors == ""
    score, compiled = output.split()
    return score, compiled


def make_workshop(folder: Path) -> Workshop:
    for source in (TESTS / "tally", PACKAGE):
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "home").mkdir()
    return Workshop(folder)


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return make_workshop(tmp_path)


EDITS = {
    "a rule": ("tally/rules.py", "state.total += 1\n", "state.total += 2\n", "11111112"),
    "a helper's helper": ("tally/deeper.py", "return 1", "return 2", "11111121"),
    "a constant read through its module": ("tally/limits.py", "= 1", "= 2", "11111211"),
    "an imported constant that is a default argument": (
        "tally/constants.py",
        "STEP = 1",
        "STEP = 2",
        "11112111",
    ),
    "a file that constants are read from": ("tally/number.txt", "1", "2", "12221111"),
    "the maker of a closure": ("tally/factory.py", "return number", "return number + 1", "12111111"),
    "a helper that its author compiled": ("tally/compiled.py", "return 1", "return 2", "21111111"),
    "the driver": ("tally/loop.py", "states[0], out)", "states[0], out)\n    out[0] *= 2", "22222222"),
    "Kakomi itself": (
        "kakomi/kernel/contract.py",
        '_chosen(state, "scores")',
        "lambda board, state, out: None",
        "0",
    ),
}


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """A workshop in which the unedited game has been compiled."""
    made = make_workshop(tmp_path_factory.mktemp("edited"))
    assert made.run() == (UNEDITED, "outcome")
    return made


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_is_never_missed(edited: Workshop, what: str) -> None:
    file, old, new, score = EDITS[what]
    edited.edit(file, old, new)
    try:
        assert edited.run() == (score, "outcome")
    finally:
        edited.edit(file, new, old)


def test_nothing_changed_nothing_compiled(edited: Workshop) -> None:
    assert edited.run() == (UNEDITED, "nothing")
    edited.edit("tally/rules.py", "Take one", "Take just one")
    assert edited.run() == (UNEDITED, "nothing")


def test_an_edit_between_import_and_compiling(workshop: Workshop) -> None:
    """What is compiled is what was imported, so that is what it must be kept as."""
    edit = """
import pathlib
from tally import outcome
rules = pathlib.Path("tally/rules.py")
rules.write_text(rules.read_text().replace("state.total += 1\\n", "state.total += 2\\n"))
outcome.main()
"""
    assert workshop.run(edit) == (UNEDITED, "outcome")
    assert workshop.run() == ("11111112", "outcome")
    assert workshop.run() == ("11111112", "nothing")


def test_bounds_checks_are_kept_apart(workshop: Workshop) -> None:
    assert workshop.run() == (UNEDITED, "outcome")
    assert workshop.run(KAKOMI_KERNEL="checked") == (UNEDITED, "outcome")
    assert workshop.run(KAKOMI_KERNEL="checked") == (UNEDITED, "nothing")
    assert workshop.run(KAKOMI_KERNEL="interpreted") == (UNEDITED, "nothing")
    assert len(workshop.kernels) == 2


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """A workshop whose one compiled file each test damages, having found it in order."""
    made = make_workshop(tmp_path_factory.mktemp("damaged"))
    assert made.run() == (UNEDITED, "outcome")
    return made


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _corrupted(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def _made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "kept").write_text("mine")


def _no_pickle(path: Path) -> None:
    payload = b"no pickle at all"
    path.write_bytes(hashlib.sha256(payload).digest() + payload)


@pytest.mark.parametrize("damage", [_truncated, _emptied, _corrupted, _no_pickle, _made_a_folder])
def test_a_damaged_file_is_compiled_again(damaged: Workshop, damage: Callable[[Path], None]) -> None:
    (kernel,) = damaged.kernels
    damage(kernel)
    assert damaged.run() == (UNEDITED, "outcome")


def test_a_cache_folder_that_is_a_file(workshop: Workshop) -> None:
    workshop.cache.write_text("not a folder")
    assert workshop.run() == (UNEDITED, "outcome")
    assert workshop.cache.read_text() == "not a folder"


def test_a_cache_folder_inside_a_file(workshop: Workshop) -> None:
    (workshop.folder / "file").write_text("")
    assert workshop.run(KAKOMI_CACHE_DIR=str(workshop.folder / "file" / "cache")) == (UNEDITED, "outcome")


def test_a_read_only_cache_folder(workshop: Workshop) -> None:
    workshop.cache.mkdir()
    workshop.cache.chmod(stat.S_IRUSR | stat.S_IXUSR)
    if os.access(workshop.cache, os.W_OK):
        run = "import tempfile\ndef refuse(*a, **k): raise PermissionError(13, 'Permission denied')\n"
        run += "tempfile.mkstemp = refuse\n" + RUN  # root may write anywhere
    else:
        run = RUN
    assert workshop.run(run) == (UNEDITED, "outcome")
    assert workshop.kernels == []
    workshop.cache.chmod(stat.S_IRWXU)


FULL_DISK = """
import builtins, errno, io, os
class FullDisk(io.FileIO):
    def write(self, content):
        raise OSError(errno.ENOSPC, "No space left on device")
opened = os.fdopen
os.fdopen = lambda handle, mode="r", *more: (FullDisk if "w" in mode else opened)(handle, mode, *more)
"""


def test_a_full_disk(workshop: Workshop) -> None:
    assert workshop.run(FULL_DISK + RUN) == (UNEDITED, "outcome")
    assert list(workshop.cache.iterdir()) == []


def test_no_home_to_keep_it_in(workshop: Workshop) -> None:
    """Without any variable that names a folder, and a home that can't be one."""
    run = "import os; del os.environ['KAKOMI_CACHE_DIR']; os.environ['HOME'] = '/dev/null'; " + RUN
    assert workshop.run(run) == (UNEDITED, "outcome")


def test_two_processes_compile_at_once(workshop: Workshop) -> None:
    both = [workshop.start(), workshop.start()]
    assert {answer(process)[0] for process in both} == {UNEDITED}
    assert len(workshop.kernels) == 1
    assert list(workshop.cache.glob("*.tmp")) == []
    assert workshop.run() == (UNEDITED, "nothing")


def test_a_process_killed_while_writing_leaves_no_half_file(workshop: Workshop) -> None:
    killed = "import os; os.replace = lambda *paths: os._exit(0); " + RUN
    process = workshop.start(killed)
    process.communicate(timeout=120)
    assert workshop.kernels == []
    assert workshop.run() == (UNEDITED, "outcome")


def test_numba_caches_of_others_stay_where_they_were(workshop: Workshop) -> None:
    (workshop.folder / "elsewhere.py").write_text(
        "import numba\n@numba.njit(cache=True)\ndef one():\n    return 1\n"
    )
    workshop.run("from elsewhere import one; one(); " + RUN + "; one()")
    assert list((workshop.folder / "__pycache__").glob("elsewhere.one-*.nbi"))
    assert {path.suffix for path in workshop.cache.iterdir()} == {".kernel"}


def test_clearing_deletes_compiled_code_and_nothing_else(workshop: Workshop) -> None:
    workshop.run()
    (workshop.cache / "notes.txt").write_text("mine")
    cleared = "from kakomi.kernel.cache import clear_cache; print(*clear_cache())"
    size = workshop.kernels[0].stat().st_size
    assert workshop.run(cleared) == ("1", str(size))
    assert [path.name for path in workshop.cache.iterdir()] == ["notes.txt"]
    assert workshop.run(cleared) == ("0", "0")
    assert workshop.run() == (UNEDITED, "outcome")


PROFILED = """
import cProfile, inspect
import kakomi
from kakomi.core import steps
from kakomi.kernel.sources import fingerprint

game, before = kakomi.game("rin"), fingerprint(steps.__name__)
with cProfile.Profile():
    game.start()
flags = steps.begin.function.__code__.co_flags
print(bool(flags & inspect.CO_OPTIMIZED), fingerprint(steps.__name__) == before)
"""


def test_a_profiled_call_changes_no_fingerprint() -> None:
    """Numba takes a flag from the code of what it calls for a profiler."""
    run = subprocess.run([sys.executable, "-c", PROFILED], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True"], "if the first is True, there is nothing to test any more"


@pytest.mark.parametrize("name", kakomi.names())
def test_a_signature_names_the_rules_of_its_states(name: str) -> None:
    """Drivers that know no game get a game's rules into their keys by this alone."""
    description = kakomi.game(name).description
    rules = description.rules
    signature = (numba.typeof(np.zeros(1, rules.STATE)), numba.typeof(np.zeros(1, rules.SCRATCH)))
    solving = None if hasattr(description.solving, "STATE") else description.solving
    companions = [module for module in (description.policy, description.observation, solving) if module]
    assert modules_among(signature) == [rules, *companions]
    assert modules_among([numba.types.UniTuple(signature[0], 1)]) == [rules, *companions]
