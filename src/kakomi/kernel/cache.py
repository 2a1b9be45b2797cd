"""Compiled drivers on disk: one file for each driver, signature, flags and fingerprint of the sources.

A file's name says all that its content depends on, so nothing in the folder can ever be stale: an edited rule
has another name. An unusable folder, a damaged file or a full disk means compiling again.

When several processes want the same driver at once, one of them compiles and the others wait for its file.
The lock is a file beside the compiled one, and the system's: it goes with a process that is killed. Where
there are no such locks, or the folder takes no files, nobody waits, and the same driver is compiled several
times. Callers can have it announced that a wait for a compilation is about to begin.
"""

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

NO_FOLDER = "there is no home directory, and no KAKOMI_CACHE_DIR that names a folder"


def cache_folder() -> Path | None:
    """The folder of compiled code: `$KAKOMI_CACHE_DIR`, or `kakomi/kernels` in the XDG cache folder.

    None if the user has no home directory and neither variable is set.
    """
    if own := os.environ.get("KAKOMI_CACHE_DIR"):
        return Path(own)
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base, "kakomi", "kernels")
    try:
        return Path.home() / ".cache" / "kakomi" / "kernels"
    except RuntimeError:
        return None


def cached_files(suffixes: tuple[str, ...] = (".kernel",)) -> list[Path]:
    """The files that hold compiled code. Raises OSError for a folder that can't be read."""
    try:
        folder = cache_folder()
        names = os.listdir(folder) if folder else []
    except FileNotFoundError:
        return []
    return [
        path for name in names if folder and (path := folder / name).suffix in suffixes and path.is_file()
    ]


def size_of(files: list[Path]) -> int:
    """Their bytes in all."""
    return sum(path.stat().st_size for path in files)


def clear_cache() -> tuple[int, int]:
    """Delete all compiled code; how many files and bytes that were. Raises OSError if it can't."""
    files = cached_files()
    size = size_of(files)
    for path in [*files, *cached_files((".tmp", ".lock"))]:
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # somebody else's files in it: leave the folder
        if folder := cache_folder():
            folder.rmdir()
    return len(files), size


class CompileLock(threading.local):
    """A lock that one driver takes and gives back again and again, for one file after the other.

    Each thread has what it took, and gives back nothing else.
    """

    def __init__(self) -> None:
        self._path = Path()
        self._handle: int | None = None

    def take(self, kernel: Path) -> None:
        """Wait until no other process or thread is compiling what belongs in this file."""
        self.give_back()
        self._path = kernel.with_suffix(".lock")
        with contextlib.suppress(ImportError, OSError):
            import fcntl  # not there on Windows

            kernel.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            fcntl.flock(self._handle, fcntl.LOCK_EX)

    def give_back(self) -> None:
        """Let others go on; nothing happens if this thread doesn't hold it.

        Who waited holds a file without a name then, and a newcomer makes another: at worst both compile.
        """
        if self._handle is not None:
            handle, self._handle = self._handle, None
            with contextlib.suppress(OSError):
                self._path.unlink()
            os.close(handle)


Announcement = Callable[[str], AbstractContextManager]
"""Called with a driver's name; what it returns is entered while that driver compiles."""

_announcements: list[Announcement] = []
_said: set[str] = set()


@contextlib.contextmanager
def when_compiling(announcement: Announcement) -> Iterator[None]:
    """Enter `announcement(driver name)` round every compilation of a driver inside a `with` block."""
    _announcements.append(announcement)
    try:
        yield
    finally:
        _announcements.remove(announcement)


@contextlib.contextmanager
def announced(name: str) -> Iterator[None]:
    """Enter what is to be entered while the driver of this name compiles."""
    with ExitStack() as contexts:
        for announcement in _announcements or [_plainly]:
            contexts.enter_context(announcement(name))
        yield


@contextlib.contextmanager
def _plainly(name: str) -> Iterator[None]:
    """One line a process for a person at a terminal or in a notebook, nothing for programs."""
    if not _said and (sys.stderr.isatty() or "ipykernel" in sys.modules):
        _said.add(name)
        print(
            "Kakomi compiles a game's rules the first time they are used; a few seconds ...", file=sys.stderr
        )
    yield
