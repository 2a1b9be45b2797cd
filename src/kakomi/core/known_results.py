"""Results that Kakomi measured or computed for a game, read from the folder `measured` in the game's folder.

`report.json`, `blunders.json` and `openings.json` hold figures: `python -m benchmarks.reports --write` writes
the first, `benchmarks.studies` the others. `solved.toml` lists boards whose exact value is known
(docs/solved.md), `komi.toml` fair komis (docs/komi.md), `levels.toml` the strengths of levels
(docs/levels.md), and `lines.toml` continuations after answers to exercises (`kakomi.core.example`).
"""

import importlib
import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from kakomi.core.level_config import DEFAULT_LEVELS, Adviser, LevelConfig

MEASURED = "measured"
"""The folder in a game's folder whose files Kakomi's programs write."""

REPORT, BLUNDERS, OPENINGS = "report.json", "blunders.json", "openings.json"


def measured_file(module: str, name: str) -> Path | None:
    """The path of a file in a game's folder `measured`; None if there is none."""
    if not hasattr(importlib.import_module(module), "__path__"):
        return None
    found = Path(str(files(module).joinpath(MEASURED, name)))
    return found if found.is_file() else None


def read_tables(module: str, name: str) -> dict[str, Any]:
    """The tables of a TOML file in a game's folder `measured`; empty without the file."""
    file = measured_file(module, name)
    return tomllib.loads(file.read_text(encoding="utf-8")) if file else {}


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A number with its 95 % interval, if it has one, and the number of games that it is from."""

    value: float
    low: float | None
    high: float | None
    games: int


@dataclass(frozen=True, kw_only=True)
class LevelFigure(Figure):
    """A figure of one level; level 0 is random play."""

    level: int


@dataclass(frozen=True, kw_only=True)
class ReportFigures:
    """Figures of a report on the game with some options (docs/reports.md)."""

    options: Mapping[str, int]
    level: int
    """The level of the strongest players, whose games gave the figures; 0 is random play."""
    games: int
    command: str
    """The command that measures it."""
    figures: Mapping[str, Figure]
    """The first number of some sections, by the section's key."""
    first_seat: Sequence[LevelFigure]
    """The first seat's share of the win by level, the weakest first."""


@dataclass(frozen=True, kw_only=True)
class BlunderFigures:
    """How often levels throw away an exact result on a small board (docs/blunders.md)."""

    options: Mapping[str, int]
    last: int
    """The number of actions before the end that were examined."""
    games: int
    critical: int
    """The number of positions in which a result could be thrown away."""
    command: str
    """The command that measures it."""
    levels: Sequence[LevelFigure]
    """The share of them in which one was, by level, random play first."""


@dataclass(frozen=True, kw_only=True)
class TurnFigure(Figure):
    """The share of searches that chose a first turn or a symmetric one; `games` counts searches."""

    turn: str
    differs: int
    """1 if it is significantly more frequent than in a uniform choice, −1 if less frequent, else 0."""


@dataclass(frozen=True, kw_only=True)
class LevelOpenings:
    """The first turns of a level."""

    level: int
    searches: int
    classes: int
    """The number of first turns up to symmetry."""
    command: str
    """The command that measures it."""
    turns: Sequence[TurnFigure]
    """The turns that were chosen, the most frequent first."""


@dataclass(frozen=True, kw_only=True)
class OpeningFigures:
    """The first turns of levels in the game with some options (docs/openings.md)."""

    options: Mapping[str, int]
    levels: Sequence[LevelOpenings]
    """By level, the lowest first."""


@cache
def read_report(module: str) -> ReportFigures | None:
    """The report figures of the game whose description is in a module; None without a file.

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
    """The blunder figures, as in `read_report`."""
    read = _read(module, BLUNDERS)
    if read is None:
        return None
    levels = _levels(read.pop("levels"))
    return BlunderFigures(**read, levels=levels)


@cache
def read_openings(module: str) -> OpeningFigures | None:
    """The opening figures, as in `read_report`."""
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
    file = measured_file(module, name)
    read: dict[str, Any] | None = json.loads(file.read_text(encoding="utf-8")) if file else None
    return read


@dataclass(frozen=True)
class SolvedBoard:
    """The result of best play in a game with some options."""

    options: Mapping[str, int]
    """All of the game's options."""
    margin: int
    """The final score of a seat less the best other score, if all others play against that seat."""
    command: str
    """The command that proves it."""
    seat: int = 0


@cache
def read_solved(module: str) -> tuple[SolvedBoard, ...]:
    """The solved boards of the game whose description is in a module: a table `[[board]]` for each, with the
    fields of `SolvedBoard`. Empty without a file. Raises TypeError for an unknown field."""
    return tuple(SolvedBoard(**table) for table in read_tables(module, "solved.toml").get("board", ()))


def read_levels(module: str) -> tuple[LevelConfig, ...]:
    """The levels of the game whose description is in a module, weakest first: a table `[[level]]` for each,
    with the fields of `LevelConfig`. `DEFAULT_LEVELS` without a file.

    Raises TypeError for an unknown field, ValueError for an unknown adviser.
    """
    tables = read_tables(module, "levels.toml").get("level", ())
    levels = (LevelConfig(**{**one, "adviser": Adviser(one.get("adviser", Adviser.PRIOR))}) for one in tables)
    return tuple(levels) or DEFAULT_LEVELS


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
        """Half of the interval's width in whole points, at least 1."""
        return max(1, math.ceil((self.high - self.low) / 2))


@dataclass(frozen=True, kw_only=True)
class MeasuredKomi(FairKomi):
    """A fair komi measured by games among equal players."""

    bot: str
    """The bot that played itself, as named for `kakomi.bots.make_bot`."""
    scale: float
    """The reduction of komi that raises the first player's share of wins from 50 % to 73 %."""
    games: int
    date: str
    command: str
    """The command that measures it."""


@dataclass(frozen=True)
class KomiTable:
    """The known fair komis of a game."""

    measured: tuple[MeasuredKomi, ...] = ()
    """Measured komis, by board, and for one board by strength, the weakest first."""
    curve: tuple[FairKomi, ...] = ()
    """Komis on the curve through the measured ones, also for other boards."""

    def known(self, board: Mapping[str, int]) -> FairKomi | None:
        """The most precise komi of a board, given its options without komi: the curve's, or the one measured
        among the strongest players; None if there is neither."""
        measured = [one for one in self.measured if one.options == board]
        candidates: list[FairKomi] = [*measured[-1:], *(one for one in self.curve if one.options == board)]
        return min(candidates, key=lambda one: one.high - one.low, default=None)


def nearest_komi(fair: float, allowed: Sequence[int]) -> int:
    """The allowed komi nearest to a fair one, and the lower of two."""
    return min(allowed, key=lambda komi: (abs(komi - fair), komi))


@cache
def read_komi(module: str) -> KomiTable:
    """The fair komis of the game whose description is in a module: tables `[[measured]]` and `[[curve]]`,
    with the fields of `MeasuredKomi` and `FairKomi`. Empty without a file. Raises TypeError for an unknown
    field."""
    tables = read_tables(module, FILE)
    return KomiTable(
        tuple(MeasuredKomi(**table) for table in tables.get("measured", ())),
        tuple(FairKomi(**table) for table in tables.get("curve", ())),
    )
