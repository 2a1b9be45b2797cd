"""Boards whose value is known exactly, read from the file `solved.toml` in a game's folder
(docs/solved.md)."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class SolvedBoard:
    """What best play from the start of a game with some options comes to."""

    options: Mapping[str, int]
    """All of the game's options."""
    margin: int
    """The score of a seat at the end less the best other one's, if everybody else plays against that seat."""
    command: str
    """What shows it."""
    seat: int = 0


@cache
def read_solved(module: str) -> tuple[SolvedBoard, ...]:
    """The solved boards of the game whose description is in a module: a table `[[board]]` for each, with the
    fields of `SolvedBoard`. None where there is no file. Raises TypeError for a field that is none."""
    file = files(module).joinpath("solved.toml")
    if not file.is_file():
        return ()
    return tuple(SolvedBoard(**table) for table in tomllib.loads(file.read_text(encoding="utf-8"))["board"])
