"""Records on disk: reading no more than a record can be, and saving so that nothing is ever lost."""

import contextlib
import os
import secrets
import stat
from pathlib import Path
from typing import IO, Any

from kakomi.core import Game
from kakomi.records.exceptions import RecordError
from kakomi.records.formats import MOST_BYTES, read, write
from kakomi.records.record import Record
from kakomi.records.replay import FindGame


def load(path: str | os.PathLike[str], find_game: FindGame, name: str = "", /, **options: Any) -> Record:
    """The record in a file; everything else as for `read`. Raises RecordError, and OSError as `open` does."""
    with open(path, "rb") as file:
        return read(read_bytes(file), find_game, name, **options)


def read_bytes(file: IO[bytes]) -> bytes:
    """All of a file, but not much more than a record can be."""
    return file.read(MOST_BYTES + 1)


def save(record: Record, game: Game, path: str | os.PathLike[str]) -> None:
    """Write a record to a file named `.json` or `.sgf`, whole or not at all.

    Raises RecordError for another name or an illegal record, and OSError if the file can't be written:
    then a file that was there is as it was.
    """
    form = Path(path).suffix.removeprefix(".").lower()
    if not form:
        raise RecordError(f"{Path(path).name}: a record's file is named .json or .sgf")
    replace_file(path, write(record, game, form))


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file beside the old one, and only when all of it is on disk put it in the old one's place.

    Raises OSError naming the file.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)  # a device or a pipe can't be replaced
        else:
            _replace(target, data)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None


def _replace(target: Path, data: bytes) -> None:
    beside = target.with_name(f".kakomi-{secrets.token_hex(8)}")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where folders can be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
