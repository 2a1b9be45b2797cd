"""Results of a game that were measured or solved, read from files in its folder.

`report.json`, `blunders.json` and `openings.json` hold figures: `python -m benchmarks.reports --write` writes
the first, `benchmarks.studies` the others. `solved.toml` lists boards whose value is known exactly
(docs/solved.md), `komi.toml` fair komis (docs/komi.md).
"""

import json
import math
import tomllib
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


FILE = "komi.toml"


@dataclass(frozen=True, kw_only=True)
class FairKomi:
    """The fair komi of a board, with its 95 % interval."""

    options: Mapping[str, int]
    """The board: all of the game's options but komi."""
    fair: float
    low: float
    high: float

    @property
    def doubt(self) -> int:
        """Half of the width of the interval in whole points, 1 at least."""
        return max(1, math.ceil((self.high - self.low) / 2))


@dataclass(frozen=True, kw_only=True)
class MeasuredKomi(FairKomi):
    """One that was measured by games among players of one strength."""

    bot: str
    """Who played with itself, as `kakomi.bots.make_bot` names it."""
    scale: float
    """How much less komi takes the first player's share of the wins from a half to 73 %."""
    games: int
    date: str
    command: str
    """What measures it."""


@dataclass(frozen=True)
class KomiTable:
    """What is known of the fair komis of a game."""

    measured: tuple[MeasuredKomi, ...] = ()
    """By board, and of one board by strength, the weakest first."""
    curve: tuple[FairKomi, ...] = ()
    """By the curve through all that was measured, also for boards that were not."""

    def known(self, board: Mapping[str, int]) -> FairKomi | None:
        """What is known most exactly of a board, by its options without komi: the curve, or what was measured
        there among the strongest players; None for a board of which nothing is known."""
        measured = [one for one in self.measured if one.options == board]
        candidates: list[FairKomi] = [*measured[-1:], *(one for one in self.curve if one.options == board)]
        return min(candidates, key=lambda one: one.high - one.low, default=None)


def nearest_komi(fair: float, allowed: Sequence[int]) -> int:
    """The allowed komi nearest to a fair one, of two the lower."""
    return min(allowed, key=lambda komi: (abs(komi - fair), komi))


@cache
def read_komi(module: str) -> KomiTable:
    """The fair komis of the game whose description is in a module: tables `[[measured]]` and `[[curve]]`,
    with the fields of `MeasuredKomi` and `FairKomi`. Empty where there is no file. Raises TypeError for a
    field that is none."""
    file = files(module).joinpath(FILE)
    if not file.is_file():
        return KomiTable()
    tables: dict[str, list[dict[str, Any]]] = tomllib.loads(file.read_text(encoding="utf-8"))
    return KomiTable(
        tuple(MeasuredKomi(**table) for table in tables.get("measured", ())),
        tuple(FairKomi(**table) for table in tables.get("curve", ())),
    )
