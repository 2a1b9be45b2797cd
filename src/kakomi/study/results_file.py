"""Result files: a JSON line of terms, then a JSON line for each result."""

import codecs
import contextlib
import os
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec

from kakomi.core.line_file import FileInUseError, LineFile

Row = TypeVar("Row")


class ResultsFileError(ValueError):
    """A file that can't be continued; the message says why."""


class ResultsFile(Generic[Row]):
    """A file of results that survives crashes; created if it doesn't exist.

    An existing file is continued if its terms are the same; an incomplete last line is dropped. Raises
    ResultsFileError if its terms differ, if it is a different kind of file or if another process has it open,
    and OSError as `open` does.
    """

    form: ClassVar[str]
    """The name of the header's first term, whose value is the format version."""
    version: ClassVar[int] = 1
    noun: ClassVar[str]
    """What the file holds, for messages."""
    error: ClassVar[type[ResultsFileError]] = ResultsFileError

    def __init__(self, path: str | os.PathLike[str], terms: Mapping[str, Any], kind: Any) -> None:
        self.rows: list[Row] = []
        """The results, each of type `kind`, in the order added."""
        try:
            self._file = LineFile(path)
        except FileInUseError:
            raise self.error(f"{path}: it is being written by another {self.noun}") from None
        self.path = self._file.path
        try:
            self._begin(dict(terms), kind)
        except BaseException:
            self.close()
            raise

    def add(self, row: Row) -> None:
        """Append a result. When this returns, it is on disk."""
        self._file.add(msgspec.json.encode(row))
        self.rows.append(row)

    def close(self) -> None:
        """Close the file and release its lock."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self, terms: dict[str, Any], kind: Any) -> None:
        header = msgspec.json.encode({self.form: self.version, **terms})
        lines = filled_lines(self._file.lines())
        if not lines and header.startswith(self._file.rest):
            self._file.add(header)
            return
        (_, first), *rest = lines or [(1, self._file.rest)]
        self._compare(self._header(first), msgspec.json.decode(header))
        decoder = msgspec.json.Decoder(kind)
        for number, line in rest:
            try:
                self.rows.append(decoder.decode(line))
            except (msgspec.DecodeError, RecursionError) as error:
                what = f"{self.path}: line {number} is damaged ({error or 'nested too deep'})"
                raise self.error(f"{what}; without that line the {self.noun} goes on") from None

    def _header(self, line: bytes) -> dict[str, Any]:
        if header := header_of(line, self.form):
            return header
        raise self.error(f"{self.path}: it is no file of a {self.noun}")

    def _compare(self, begun: dict[str, Any], wanted: dict[str, Any]) -> None:
        differing = [name for name in {**wanted, **begun} if begun.get(name) != wanted.get(name)]
        if differing:
            told = "; ".join(
                f"{name} {_shown(begun, name)}, not {_shown(wanted, name)}" for name in differing
            )
            raise self.error(f"{self.path}: it was begun on other terms: {told}")


def filled_lines(lines: Iterable[bytes]) -> list[tuple[int, bytes]]:
    """The non-empty lines of a file with their numbers, without a byte order mark."""
    marked = enumerate(lines, 1)
    plain = [(number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line) for number, line in marked]
    return [(number, line) for number, line in plain if line.strip()]


def header_of(line: bytes, form: str) -> dict[str, Any]:
    """The terms in the first line of a file; empty if it isn't a header of this form."""
    with contextlib.suppress(msgspec.DecodeError, RecursionError):
        header = msgspec.json.decode(line)
        if isinstance(header, dict) and form in header:
            return header
    return {}


def _shown(terms: Mapping[str, Any], name: str) -> str:
    """A term formatted for messages."""
    value = terms.get(name)
    if isinstance(value, dict):
        return ", ".join(f"{key}={one}" for key, one in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    return "none" if value is None else str(value)
