"""Records as bytes in any format, and as files, read with a size limit and replaced atomically."""

import os
import warnings
from pathlib import Path
from typing import IO, Any

from kakomi.core import Game
from kakomi.core.i18n import lazy_error, lazy_message
from kakomi.core.system import replace_file
from kakomi.records.check import checked
from kakomi.records.json_form import read_json, write_json
from kakomi.records.record import Reading, Record, RecordError, RecordWarning, wrong_game
from kakomi.records.replay import FindGame, game_of
from kakomi.records.sgf import looks_like_sgf, read_sgf, write_sgf

FORMATS = ("json", "sgf")
MOST_BYTES = 16 * 2**20
"""The maximum size of a file."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read(
    data: bytes, find_game: FindGame, name: str = "", reading: Reading | None = None, /, **options: Any
) -> Record:
    """Read a record from bytes, detect the format and check the record against the rules.

    `find_game` finds a game by name and options, like `kakomi.game`. `name` and `options` give the game of an
    SGF file that doesn't contain it; a record that contradicts them is refused. `reading` has limits of its
    own and collects the warnings, which are issued as RecordWarning without it. Raises RecordError.
    """
    if reading is None:
        reading = Reading()
        record = read(data, find_game, name, reading, **options)
        for message in reading.warnings:
            warnings.warn(message, RecordWarning, stacklevel=2)
        return record
    if len(data) > MOST_BYTES:
        raise RecordError(lazy_message("the file is too large: at most {most} MiB", most=MOST_BYTES >> 20))
    data = data.removeprefix(_BYTE_ORDER_MARK)
    match data.lstrip()[:1]:
        case b"{":
            record = read_json(data, reading)
            record = checked(record, game_of(record, find_game), reading)
        case b"":
            raise RecordError(lazy_message("the file is empty"))
        case _ if looks_like_sgf(data):
            record = read_sgf(data, find_game, name, reading, **options)
        case _:
            raise RecordError(lazy_message("not a game record: JSON begins with { and SGF with ("))
    _check_wanted(record, name, options)
    return record


def _check_wanted(record: Record, name: str, options: dict[str, Any]) -> None:
    if name not in ("", record.game):
        raise RecordError(wrong_game(record.game, name))
    for option, value in options.items():
        if str(value) != str(record.options.get(option)):
            has = record.options.get(option)
            raise lazy_error(
                RecordError, "the record has {option} {has}, not {value}", option=option, has=has, value=value
            )


def write(record: Record, game: Game, form: str) -> bytes:
    """Check a record against the rules and write it in one of `FORMATS`. Raises RecordError."""
    match form:
        case "json":
            return write_json(checked(record, game))
        case "sgf":
            return write_sgf(record, game)
        case _:
            raise RecordError(f"no record format is called {form!r}: there are {' and '.join(FORMATS)}")


def load(
    path: str | os.PathLike[str],
    find_game: FindGame,
    name: str = "",
    reading: Reading | None = None,
    /,
    **options: Any,
) -> Record:
    """Read a record from a file, like `read`. Raises RecordError, and OSError like `open`."""
    with open(path, "rb") as file:
        return read(read_bytes(file), find_game, name, reading, **options)


def read_bytes(file: IO[bytes]) -> bytes:
    """Read a file, up to one byte more than a record may have."""
    return file.read(MOST_BYTES + 1)


def save(record: Record, game: Game, path: str | os.PathLike[str]) -> None:
    """Write a record atomically to a file named `.json` or `.sgf`.

    Raises RecordError for another name or an illegal record, and OSError if the file can't be written; an
    existing file is then unchanged.
    """
    form = Path(path).suffix.removeprefix(".").lower()
    if not form:
        raise RecordError(f"{Path(path).name}: a record's file is named .json or .sgf")
    replace_file(path, write(record, game, form))
