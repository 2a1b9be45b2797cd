"""What a report says, before it is a page: sections of numbers, charts, boards, tables and links to games."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from kakomi.study.report.estimates import Estimate
from kakomi.study.report.trace import GameId

Unit = Literal["percent", "plain", "points", "power", "elo", "times"]
"""How a number is written: as a share, as it is, as percentage points, as a power of ten, as Elo points, as a
factor."""
Group = Literal["size", "fairness", "course", "board", "skill", "players", "known", "studies"]
GROUPS: Mapping[Group, str] = {
    "fairness": "Fairness",
    "course": "The course of a game",
    "size": "Size and complexity",
    "board": "On the board",
    "skill": "Skill and strategy",
    "players": "Three players and more",
    "known": "What is known exactly",
    "studies": "Studies of this board",
}
"""The parts of a report, in their order."""


@dataclass(frozen=True)
class GameLink:
    """A game that shows something, and the action before which it is seen."""

    game: GameId
    label: str
    ply: int = 0


@dataclass(frozen=True)
class Number:
    """One figure of a report."""

    label: str
    estimate: Estimate
    unit: Unit = "plain"
    players: str = ""
    """Whose games they are: `level 7`."""
    note: str = ""


@dataclass(frozen=True)
class DataPoint:
    """A point of a chart, with its interval if it has one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    told: str = ""
    """What is said of it, in words."""
    link: GameLink | None = None


@dataclass(frozen=True)
class Series:
    """Points that belong together."""

    name: str
    points: tuple[DataPoint, ...]
    form: Literal["line", "points", "bars", "band"] = "line"
    is_faint: bool = False
    is_labelled: bool = False
    """Whether its name stands at its last point, and not in the legend."""


@dataclass(frozen=True)
class Chart:
    """A chart; `title` says what is drawn, `about` in a sentence what is to be seen."""

    title: str
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    about: str
    unit: Unit = "plain"
    x_labels: Mapping[float, str] = field(default_factory=dict)
    level: float | None = None
    """Where a line goes across: what would be even."""
    y_range: tuple[float, float] | None = None


@dataclass(frozen=True)
class BoardMap:
    """A board whose points are tinted: name -> strength from 0 to 1, and for whom (None: nobody's)."""

    title: str
    about: str
    shades: Mapping[str, tuple[float, int | None]]
    texts: Mapping[str, str] = field(default_factory=dict)
    """What is said of each point."""


@dataclass(frozen=True)
class Cell:
    """A cell of a table: text, or a number that is written with its interval."""

    text: str = ""
    number: Number | None = None
    link: GameLink | None = None


@dataclass(frozen=True)
class Table:
    """A table with a heading for each column."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    about: str = ""


Figure = Chart | BoardMap | Table


@dataclass(frozen=True)
class Section:
    """A statistic: what was found, in a sentence, and what that means and doesn't mean."""

    key: str
    title: str
    group: Group
    finding: str
    means: str
    not_means: str
    numbers: tuple[Number, ...] = ()
    figures: tuple[Figure, ...] = ()
    links: tuple[GameLink, ...] = ()
    summary: str = ""
    """A sentence for the top of the page, if it belongs there."""
    method: str = ""
    """How the numbers are made, beyond what holds for all."""
