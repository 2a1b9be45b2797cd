"""Results of a study that are kept in a file, so that it can be stopped and goes on."""

import contextlib
from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from kakomi.core.line_file import LineFile
from kakomi.farm import Farm, Piece

T = TypeVar("T")


def read_results(lines: LineFile, kind: type[T], what: str) -> Iterator[T]:
    """The results that a file holds. Raises ValueError, with `what` a line should hold, for another line."""
    for number, line in enumerate(lines.lines(), 1):
        try:
            yield msgspec.json.decode(line, type=kind)
        except msgspec.DecodeError as error:
            raise ValueError(f"{lines.path}: line {number} holds no {what}: {error}") from None


def new_results(lines: LineFile, farm: Farm, pieces: Iterable[Piece[T]]) -> Iterator[T]:
    """Do pieces of work, and add each result to the file before it is told. Raises FarmError, OSError."""
    with contextlib.closing(farm.run(pieces)) as done:
        for _, result in done:
            lines.add(msgspec.json.encode(result))
            yield result
