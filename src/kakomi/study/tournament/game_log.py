"""The games of a match on disk: a line of terms, then a line for every finished game."""

import contextlib
import os
from collections.abc import Mapping
from typing import Any

import msgspec

from kakomi.core.line_file import FileInUseError, LineFile
from kakomi.study.tournament.exceptions import GameLogError
from kakomi.study.tournament.played import Played

FORMAT = "kakomi_match"
VERSION = 1


class GameLog:
    """A file of JSON lines to which games are added; what it holds is there after any crash.

    A file that exists is gone on with if its terms are the same; a last line that was cut off is
    dropped. Raises GameLogError for other terms, for a file that is no log and for one that another
    process has open, and OSError as `open` does.
    """

    def __init__(self, path: str | os.PathLike[str], terms: Mapping[str, Any]) -> None:
        self.played: dict[int, Played] = {}
        """The games by their pairing's number."""
        try:
            self._file = LineFile(path)
        except FileInUseError:
            raise GameLogError(f"{path}: it is being written by another match") from None
        self.path = self._file.path
        try:
            self._begin(dict(terms))
        except BaseException:
            self.close()
            raise

    def add(self, played: Played) -> None:
        """Write a game down; when this returns it is on disk."""
        self._file.add(msgspec.json.encode(played))
        self.played[played.pairing.number] = played

    def close(self) -> None:
        """Let others have the file."""
        self._file.close()

    def __enter__(self) -> "GameLog":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self, terms: dict[str, Any]) -> None:
        header = msgspec.json.encode({FORMAT: VERSION, **terms})
        lines = list(self._file.lines())
        if not lines and header.startswith(self._file.rest):
            self._file.add(header)
            return
        first, *rest = lines or [self._file.rest]
        self._compare(self._header(first), msgspec.json.decode(header))
        for number, line in enumerate(rest, 2):
            self._remember(number, line)

    def _header(self, line: bytes) -> dict[str, Any]:
        with contextlib.suppress(msgspec.DecodeError):
            header = msgspec.json.decode(line)
            if isinstance(header, dict) and FORMAT in header:
                return header
        raise self._refused("is no file of a match")

    def _compare(self, begun: dict[str, Any], wanted: dict[str, Any]) -> None:
        differing = [name for name in {**wanted, **begun} if begun.get(name) != wanted.get(name)]
        if differing:
            told = "; ".join(
                f"{name} {_shown(begun, name)}, not {_shown(wanted, name)}" for name in differing
            )
            raise self._refused(f"was begun on other terms: {told}")

    def _remember(self, number: int, line: bytes) -> None:
        try:
            played = msgspec.json.decode(line, type=Played)
        except msgspec.DecodeError as error:
            raise self._refused(f"line {number} is damaged: {error}") from None
        self.played[played.pairing.number] = played

    def _refused(self, why: str) -> GameLogError:
        return GameLogError(f"{self.path}: it {why}")


def _shown(terms: Mapping[str, Any], name: str) -> str:
    """A term as messages show it."""
    value = terms.get(name)
    if isinstance(value, dict):
        return ", ".join(f"{key}={one}" for key, one in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    return "none" if value is None else str(value)
