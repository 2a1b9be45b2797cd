"""Fair komis that were measured, read from the file `komi.toml` in a game's folder (docs/komi.md)."""

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

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
