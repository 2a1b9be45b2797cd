"""Files to which lines of JSON are added, by one process at a time, and which survive a crash."""

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
    """Another process adds to the file; the message says so."""


class LineFile:
    """A file of lines, made if it isn't there. What was added is on disk, after any crash too.

    A process that is killed while it writes leaves half a line, which is cut off before the next one is
    added, and not earlier: a file that turns out to be something else stays as it is. Raises
    FileInUseError while another process has the file, and OSError as `open` does, also for a device.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if self.path.exists() and not (self.path.is_file() or self.path.is_dir()):
            raise OSError(errno.EINVAL, "this is no file that lines can be kept in", os.fspath(path))
        self._file: IO[bytes] = open(path, "a+b")  # noqa: SIM115 (kept open, and closed by `close`)
        try:
            self._lock()
            self._end = sum(len(line) + 1 for line in self.lines())
            self._file.seek(self._end)
            self.rest = self._file.read()
            """Half a line at the end, if there is one."""
        except BaseException:
            self.close()
            raise

    def lines(self) -> Iterator[bytes]:
        """The whole lines so far, without their ends."""
        self._file.seek(0)
        return _whole(self._file)

    def add(self, line: bytes) -> None:
        """Add a line, given without its end; when this returns it is on disk. Raises OSError naming the file,
        and then nothing of the line is there."""
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
        """Let others have the file."""
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
    """The whole lines of a file that another process may be adding to; nothing is changed.

    Raises OSError as `open` does.
    """
    with path.open("rb") as file:
        yield from _whole(file)


def add_row(path: Path, row: Any) -> None:
    """Add a dataclass as a line of JSON. Raises ValueError for a number that JSON doesn't have."""
    line = json.dumps(asdict(row), allow_nan=False).encode()
    with LineFile(path) as file:
        file.add(line)


def rows_in(path: Path, kind: type[Row]) -> list[Row]:
    """The lines of a file as dataclasses of a kind; none if there is no file. Others are left out."""
    found = []
    for line in whole_lines(path) if path.exists() else ():
        with contextlib.suppress(ValueError, TypeError, RecursionError):
            found.append(kind(**json.loads(line)))
    return found


def _whole(file: IO[bytes]) -> Iterator[bytes]:
    return (line[:-1] for line in file if line.endswith(b"\n"))
