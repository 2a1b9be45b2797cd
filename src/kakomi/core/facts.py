"""Figures of a game that were measured, read from files in its folder: `report.json`, `blunders.json` and
`openings.json`.

`python -m benchmarks.reports --write` writes the first, `benchmarks.studies` the others.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

REPORT, BLUNDERS, OPENINGS = "report.json", "blunders.json", "openings.json"


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A number with its 95 % interval, where it has one, and how many games are behind it."""

    value: float
    low: float | None
    high: float | None
    games: int


@dataclass(frozen=True, kw_only=True)
class LevelFigure(Figure):
    """A number of one level; level 0 is random play."""

    level: int


@dataclass(frozen=True, kw_only=True)
class ReportFigures:
    """What a report says of the game with some options (docs/reports.md)."""

    options: Mapping[str, int]
    level: int
    """Of the strongest players, whose games the figures are of; 0 is random play."""
    games: int
    command: str
    """What measures it."""
    figures: Mapping[str, Figure]
    """The first number of some sections, by the section's key."""
    first_seat: Sequence[LevelFigure]
    """The share of the win of the first seat, the weakest players first."""


@dataclass(frozen=True, kw_only=True)
class BlunderFigures:
    """How often levels throw away an exact result on a small board (docs/blunders.md)."""

    options: Mapping[str, int]
    last: int
    """So many actions before the end were looked at."""
    games: int
    critical: int
    """Positions in which something could be thrown away."""
    command: str
    """What measures it."""
    levels: Sequence[LevelFigure]
    """The share of them in which it was, random play first."""


@dataclass(frozen=True, kw_only=True)
class TurnFigure(Figure):
    """The share of searches that chose a first turn, or one that is alike; `games` are the searches."""

    turn: str
    differs: int
    """1 where it comes more often than an even choice would have it, −1 where less often, 0 where that may
    be chance."""


@dataclass(frozen=True, kw_only=True)
class LevelOpenings:
    """How a level begins."""

    level: int
    searches: int
    classes: int
    """How many first turns there are, up to symmetry."""
    command: str
    """What measures it."""
    turns: Sequence[TurnFigure]
    """Those that were chosen, the most frequent first."""


@dataclass(frozen=True, kw_only=True)
class OpeningFigures:
    """How levels begin the game with some options (docs/openings.md)."""

    options: Mapping[str, int]
    levels: Sequence[LevelOpenings]
    """The lowest level first."""


@cache
def read_report(module: str) -> ReportFigures | None:
    """The figures of the game whose description is in a module; None where there is no file.

    Raises TypeError and KeyError for a file with other fields.
    """
    read = _read(module, REPORT)
    if read is None:
        return None
    figures = {key: Figure(**one) for key, one in read.pop("figures").items()}
    first_seat = _levels(read.pop("first_seat"))
    return ReportFigures(**read, figures=figures, first_seat=first_seat)


@cache
def read_blunders(module: str) -> BlunderFigures | None:
    """The same of blunders."""
    read = _read(module, BLUNDERS)
    if read is None:
        return None
    levels = _levels(read.pop("levels"))
    return BlunderFigures(**read, levels=levels)


@cache
def read_openings(module: str) -> OpeningFigures | None:
    """The same of first turns."""
    read = _read(module, OPENINGS)
    if read is None:
        return None
    levels = tuple(
        LevelOpenings(**{**one, "turns": tuple(TurnFigure(**turn) for turn in one["turns"])})
        for one in read.pop("levels")
    )
    return OpeningFigures(**read, levels=levels)


def _levels(read: list[dict[str, Any]]) -> tuple[LevelFigure, ...]:
    return tuple(LevelFigure(**one) for one in read)


def _read(module: str, name: str) -> dict[str, Any] | None:
    file = files(module).joinpath(name)
    if not file.is_file():
        return None
    read: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return read
