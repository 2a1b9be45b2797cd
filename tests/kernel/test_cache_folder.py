"""The folder of compiled code: problems with it only cost time."""

import errno
import hashlib
import io
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import caching

from kakomi.kernel import driver_cache, use_mode
from kakomi.kernel.cache import cache_folder, cached_files, clear_cache
from kakomi.kernel.driver import Driver
from kernel.small import doubled, doubled_anew, trebled

TESTS = Path(__file__).resolve().parent.parent
DIGEST_BYTES = 32
UNKNOWN_USER = 4242


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate folder for the test."""
    driver_cache._warn_once.cache_clear()
    monkeypatch.setenv("KAKOMI_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def files(folder: Path, driver: str = "doubled") -> list[Path]:
    return list(folder.glob(f"{driver}-*.kernel"))


def test_it_is_made_and_used(folder: Path) -> None:
    assert [doubled_anew(), doubled_anew()] == ["compiled", "found"]
    assert len(files(folder)) == 1


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


def _exchanged(path: Path) -> None:
    """Replace a file's contents with a valid file of another driver, keeping its header."""
    with use_mode("compiled"):
        Driver(trebled.function)(np.array([1]))
    (other,) = files(path.parent, driver="trebled")
    path.write_bytes(path.read_bytes()[:DIGEST_BYTES] + other.read_bytes()[DIGEST_BYTES:])


def _no_pickle(path: Path) -> None:
    payload = b"no pickle at all"
    path.write_bytes(hashlib.sha256(payload).digest() + payload)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one valid compiled file."""
    folder = tmp_path_factory.mktemp("good")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KAKOMI_CACHE_DIR", str(folder))
        assert doubled_anew() == "compiled"
    return folder


@pytest.mark.parametrize("damage", [_truncated, _emptied, _corrupted, _exchanged, _no_pickle, _made_a_folder])
def test_a_damaged_file_is_compiled_again(folder: Path, good: Path, damage: Callable[[Path], None]) -> None:
    shutil.copytree(good, folder)
    assert doubled_anew() == "found"
    (kernel,) = files(folder)
    damage(kernel)
    assert doubled_anew() == "compiled"


def test_a_folder_that_is_a_file(folder: Path) -> None:
    folder.write_text("not a folder")
    assert doubled_anew() == "compiled"
    assert folder.read_text() == "not a folder"


def test_a_folder_inside_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write_text("")
    monkeypatch.setenv("KAKOMI_CACHE_DIR", str(folder / "cache"))
    assert doubled_anew() == "compiled"


def test_a_read_only_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    if os.access(folder, os.W_OK):  # root can write anywhere
        monkeypatch.setattr(driver_cache, "open", _refuse, raising=False)
    assert doubled_anew() == "compiled"
    folder.chmod(stat.S_IRWXU)
    assert list(folder.iterdir()) == []


def _refuse(*args: Any, **options: Any) -> Any:
    raise PermissionError(errno.EACCES, "Permission denied")


class _FullDisk(io.FileIO):
    def __init__(self, path: Path, mode: str) -> None:
        super().__init__(path, mode.removesuffix("b"))

    def write(self, content: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_cache, "open", _FullDisk, raising=False)
    assert doubled_anew() == "compiled"
    assert list(folder.iterdir()) == []


def test_no_home_to_keep_it_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no variable that sets a folder, and the home directory isn't a folder."""
    monkeypatch.delenv("KAKOMI_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/dev/null")
    assert doubled_anew() == "compiled"


def test_no_home_at_all(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """A user without a home directory, as in a container, and no variable that sets a folder."""
    _without_a_home(monkeypatch)
    monkeypatch.delenv("KAKOMI_CACHE_DIR")
    assert cache_folder() is None and cached_files() == [] and clear_cache() == (0, 0)
    assert doubled_anew() == "compiled"
    (told,) = caplog.messages
    assert "there is no home directory" in told and "KAKOMI_CACHE_DIR" in told


def _without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: UNKNOWN_USER, raising=False)


def test_numba_needs_no_folder_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the source folder is read-only and there is no home directory."""
    _without_a_home(monkeypatch)
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    assert [doubled_anew(), doubled_anew()] == ["compiled", "found"]
    assert len(files(folder)) == 1


@pytest.mark.skipif(os.name == "nt", reason="permissions are those of POSIX")
def test_what_one_user_compiled_others_may_read(folder: Path) -> None:
    """A container image is built by one user and run by another."""
    before = os.umask(0o022)
    try:
        doubled_anew()
    finally:
        os.umask(before)
    (kernel,) = files(folder)
    assert stat.S_IMODE(kernel.stat().st_mode) == 0o644


def test_a_folder_that_cannot_be_used_is_mentioned_once(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.write_text("not a folder")
    assert [doubled_anew(), doubled_anew()] == ["compiled", "compiled"]
    (told,) = caplog.messages
    assert str(folder) in told and "KAKOMI_CACHE_DIR" in told


def test_what_cannot_be_compiled_keeps_nobody_waiting(folder: Path) -> None:
    with use_mode("compiled"), pytest.raises(numba.TypingError):
        Driver(doubled.function)(("no", "numbers"))
    assert folder_holds(folder) == set()


def folder_holds(folder: Path) -> set[str]:
    """The suffixes of the files in a folder."""
    return {path.suffix for path in folder.iterdir()}


def test_a_folder_that_cannot_be_listed_is_an_error(folder: Path) -> None:
    folder.write_text("not a folder")
    with pytest.raises(NotADirectoryError):
        cached_files()


def test_clearing_deletes_compiled_code_and_nothing_else(folder: Path) -> None:
    doubled_anew()
    (kernel,) = files(folder)
    (folder / "notes.txt").write_text("mine")
    size = kernel.stat().st_size
    assert clear_cache() == (1, size)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    assert clear_cache() == (0, 0)
    assert doubled_anew() == "compiled"
