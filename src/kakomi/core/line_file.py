"""Files to which one process at a time appends lines of JSON, and which survive a crash."""

import contextlib
import errno
import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Self, TypeVar

from kakomi.core.system import naming

Row = TypeVar("Row")


class FileInUseError(ValueError):
    """Another process is writing to the file."""


class LineFile:
    """A file of lines, created if it doesn't exist. Lines that were added survive any crash.

    A process killed while writing leaves half a line. It is removed only when the next line is added, so
    that a file of another kind isn't damaged. Raises FileInUseError while another process has the file open,
    and OSError as `open` does, also for a device.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if self.path.exists() and not (self.path.is_file() or self.path.is_dir()):
            raise OSError(errno.EINVAL, "this isn't a file that lines can be saved in", os.fspath(path))
        self._file: IO[bytes] = open(path, "a+b")  # noqa: SIM115 (kept open, and closed by `close`)
        try:
            self._lock()
            self._end = sum(len(line) + 1 for line in self.lines())
            self._file.seek(self._end)
            self.rest = self._file.read()
            """The incomplete line at the end, if there is one."""
        except BaseException:
            self.close()
            raise

    def lines(self) -> Iterator[bytes]:
        """The complete lines, without line ends."""
        self._file.seek(0)
        return _whole(self._file)

    def add(self, line: bytes) -> None:
        """Append a line, given without its end, and sync it to disk. If that fails, nothing of the line is in
        the file; raises OSError naming the file."""
        if self.rest:
            self._file.truncate(self._end)
            self.rest = b""
        handle, data = self._file.fileno(), memoryview(line + b"\n")
        with naming(self.path):
            try:
                while data:
                    data = data[os.write(handle, data) :]
                os.fsync(handle)
            except OSError:
                self._file.truncate(self._end)
                raise
        self._end += len(line) + 1

    def close(self) -> None:
        """Close and unlock the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lock(self) -> None:
        with contextlib.suppress(ImportError):  # not on Windows
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FileInUseError(f"{self.path}: it is being written by another process") from None


def whole_lines(path: Path) -> Iterator[bytes]:
    """The complete lines of a file that another process may be writing. Raises OSError as `open` does."""
    with path.open("rb") as file:
        yield from _whole(file)


def add_row(path: Path, row: Any) -> None:
    """Append a dataclass as a line of JSON. Raises ValueError for numbers such as NaN."""
    line = json.dumps(asdict(row), allow_nan=False).encode()
    with LineFile(path) as file:
        file.add(line)


def rows_in(path: Path, kind: type[Row]) -> list[Row]:
    """The lines of a file as dataclasses of a kind, without others; empty if there is no file."""
    found = []
    for line in whole_lines(path) if path.exists() else ():
        with contextlib.suppress(ValueError, TypeError, RecursionError):
            found.append(kind(**json.loads(line)))
    return found


def _whole(file: IO[bytes]) -> Iterator[bytes]:
    return (line[:-1] for line in file if line.endswith(b"\n"))
