"""Records as bytes in whichever format, and as files that are read with a limit and replaced whole."""

import os
import warnings
from pathlib import Path
from typing import IO, Any

from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.core.system import replace_file
from kakomi.records.check import checked
from kakomi.records.json_form import read_json, write_json
from kakomi.records.record import Reading, Record, RecordError, RecordWarning, wrong_game
from kakomi.records.replay import FindGame, game_of
from kakomi.records.sgf import looks_like_sgf, read_sgf, write_sgf

FORMATS = ("json", "sgf")
MOST_BYTES = 16 * 2**20
"""No longer file is read."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read(
    data: bytes, find_game: FindGame, name: str = "", reading: Reading | None = None, /, **options: Any
) -> Record:
    """The record that a file's bytes hold, checked by the rules; the bytes themselves tell the format.

    `find_game` finds a game by name and options, as `kakomi.game` does. `name` and `options` say what
    the record is of where an SGF file doesn't; a record that says something else is refused. `reading` has
    limits of its own, and gets what is to be said of the file; without it that is a RecordWarning.
    Raises RecordError.
    """
    if reading is None:
        reading = Reading()
        record = read(data, find_game, name, reading, **options)
        for message in reading.warnings:
            warnings.warn(message, RecordWarning, stacklevel=2)
        return record
    if len(data) > MOST_BYTES:
        raise RecordError(lazy_message("no game record is longer than {most} MiB", most=MOST_BYTES >> 20))
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
            raise RecordError(
                lazy_message(
                    "the record has {option} {has}, not {value}", option=option, has=has, value=value
                )
            )


def write(record: Record, game: Game, form: str) -> bytes:
    """The record, checked by the rules, in one of `FORMATS`. Raises RecordError."""
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
    """The record in a file; everything else as for `read`. Raises RecordError, and OSError as `open` does."""
    with open(path, "rb") as file:
        return read(read_bytes(file), find_game, name, reading, **options)


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
