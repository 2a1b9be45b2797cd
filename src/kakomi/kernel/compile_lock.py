"""What several processes want at once, one of them compiles: the others wait for its file.

The lock is a file beside the compiled one, and the system's: it goes with a process that is killed. Where
there are no such locks, or the folder takes no files, nobody waits, and the same is compiled several times.
"""

import contextlib
import os
import threading
from pathlib import Path


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
