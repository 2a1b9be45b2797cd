"""What a report says, before it is a page: sections of numbers, charts, boards, tables and links to games,
with numbers as people read them.
"""

import math
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


NO_BREAK = " "


def written(value: float, unit: Unit, digits: int | None = None) -> str:
    """A value in its unit, with as many digits as fit its size."""
    match unit:
        case "percent":
            return f"{100 * value:.{_digits(100 * value, digits)}f}{NO_BREAK}%"
        case "power":
            return f"10{_raised(value)}"
        case "elo":
            return f"{value:+.0f}".replace("-", "−")
        case "times":
            return f"{value:.{_digits(value, digits)}f}×"
        case _:
            return f"{value:z,.{_digits(value, digits)}f}".replace("-", "−")


def _digits(value: float, digits: int | None) -> int:
    if digits is not None:
        return digits
    size = abs(value)
    return 0 if size >= 100 or value == 0 else 1 if size >= 10 else 2


def options_in_words(options: Mapping[str, int]) -> str:
    """A game's options with their values: `size 13, line 6`."""
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in options.items())


def in_words(estimate: Estimate, unit: Unit) -> str:
    """The value and its interval: `53 % (51–55)`."""
    digits = precision(estimate, unit)
    value = written(estimate.value, unit, digits)
    return f"{value} ({interval(estimate, unit)})" if estimate.has_interval else value


def interval(estimate: Estimate, unit: Unit) -> str:
    """The ends of an interval, the unit left out where the value before it has it."""
    digits = precision(estimate, unit)
    low, high = (_bare(end, unit, digits) for end in (estimate.low, estimate.high))
    between = " to " if low.startswith(("−", "+")) or high.startswith(("−", "+")) else "–"
    return f"{low}{between}{high}"


def _bare(value: float, unit: Unit, digits: int) -> str:
    if unit == "percent":
        return f"{100 * value:.{digits}f}"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return written(value, unit, digits).removesuffix("×")


def precision(estimate: Estimate, unit: Unit) -> int:
    """Digits behind the point: no more than the interval leaves meaning."""
    factor = 100 if unit == "percent" else 1
    if not estimate.has_interval or math.isinf(estimate.half_width):
        return _digits(factor * estimate.value, None)
    width = factor * estimate.half_width
    if width <= 0:
        return 0 if float(factor * estimate.value).is_integer() else 1
    return min(3, max(0, math.ceil(-math.log10(width) + (0.3 if width < 1 else -0.0))))


def told(number: Number) -> str:
    """A number with its interval."""
    return in_words(number.estimate, number.unit)


def games_in_words(estimate: Estimate) -> str:
    """What is behind an estimate."""
    games = counted(estimate.games)
    return games if estimate.blocks == estimate.games else f"{games} in {estimate.blocks:,} blocks"


def counted(count: int, one: str = "game") -> str:
    """`1 game`, `1,200 games`."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def player_in_words(bot: str) -> str:
    """A bot as people call it: `level 5` for `5`."""
    return f"level {bot}" if bot.isdecimal() else bot


def p_in_words(p: float) -> str:
    """A p-value: `p = 0.021`."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def margin_in_words(points: int) -> str:
    """Points with their sign: `+3`, `−3`, `0`."""
    return f"{points:+d}".replace("-", "−") if points else "0"


_SMALL = str.maketrans("0123456789-.", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻·")


def _raised(value: float) -> str:
    return f"{value:.0f}".translate(_SMALL) if abs(value) >= 10 else f"{value:.1f}".translate(_SMALL)
