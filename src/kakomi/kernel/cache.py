"""The folder of compiled drivers: where it is, what its files need, and who compiles.

`kakomi.kernel.driver_cache` names the files. With an unusable folder, a damaged file or a full disk, drivers
are compiled again.

When several processes need the same driver at once, one compiles it and the others wait for its file. The
lock is a file next to the compiled one, locked by the system, which releases it if the process dies. Without
such locks or a writable folder nobody waits, and several processes compile the same driver. Callers can
register an announcement that runs when a compilation starts.
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
    """Return the folder of compiled code: `$KAKOMI_CACHE_DIR`, or `kakomi/kernels` in the XDG cache folder.

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
    """List the files of compiled code. Raises OSError if the folder can't be read."""
    try:
        folder = cache_folder()
        names = os.listdir(folder) if folder else []
    except FileNotFoundError:
        return []
    return [
        path for name in names if folder and (path := folder / name).suffix in suffixes and path.is_file()
    ]


def size_of(files: list[Path]) -> int:
    """Return the total size of files in bytes."""
    return sum(path.stat().st_size for path in files)


def clear_cache() -> tuple[int, int]:
    """Delete all compiled code. Return the number of files and bytes. Raises OSError if that fails."""
    files = cached_files()
    size = size_of(files)
    for path in [*files, *cached_files((".tmp", ".lock"))]:
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # keep a folder that contains other files
        if folder := cache_folder():
            folder.rmdir()
    return len(files), size


class CompileLock(threading.local):
    """A driver's lock on the file being compiled; it can be taken repeatedly, for different files.

    Each thread has its own lock and releases only that.
    """

    def __init__(self) -> None:
        self._path = Path()
        self._handle: int | None = None

    def take(self, kernel: Path) -> None:
        """Wait until no other process or thread is compiling the driver for this file."""
        self.give_back()
        self._path = kernel.with_suffix(".lock")
        with contextlib.suppress(ImportError, OSError):
            import fcntl  # missing on Windows

            kernel.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            fcntl.flock(self._handle, fcntl.LOCK_EX)

    def give_back(self) -> None:
        """Release the lock, if this thread holds it.

        The lock file is deleted: a process that waited then holds a nameless file, a new one creates another,
        and at worst both compile.
        """
        if self._handle is not None:
            handle, self._handle = self._handle, None
            with contextlib.suppress(OSError):
                self._path.unlink()
            os.close(handle)


Announcement = Callable[[str], AbstractContextManager]
"""Called with a driver's name; returns a context that is active while that driver compiles."""

_announcements: list[Announcement] = []
_said: set[str] = set()


@contextlib.contextmanager
def when_compiling(announcement: Announcement) -> Iterator[None]:
    """Enter `announcement(driver name)` around every compilation within a `with` block."""
    _announcements.append(announcement)
    try:
        yield
    finally:
        _announcements.remove(announcement)


@contextlib.contextmanager
def announced(name: str) -> Iterator[None]:
    """Enter all announcements for the driver of this name."""
    with ExitStack() as contexts:
        for announcement in _announcements or [_plainly]:
            contexts.enter_context(announcement(name))
        yield


@contextlib.contextmanager
def _plainly(name: str) -> Iterator[None]:
    """Print one line per process, if it runs at a terminal or in a notebook."""
    if not _said and (sys.stderr.isatty() or "ipykernel" in sys.modules):
        _said.add(name)
        print(
            "Kakomi compiles a game's rules the first time they are used; a few seconds ...", file=sys.stderr
        )
    yield
