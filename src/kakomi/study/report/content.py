"""The content of a report, independent of its format: sections of numbers, charts, boards, tables and links
to games; and numbers formatted for people.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from kakomi.draw.board_map import BoardMap
from kakomi.study.report.estimates import Estimate
from kakomi.study.report.trace import GameId

Unit = Literal["percent", "plain", "points", "power", "elo", "times"]
"""How a number is written: as a percentage, plain, as percentage points, as a power of ten, as Elo points or
as a factor."""
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
"""The parts of a report, in order."""


@dataclass(frozen=True)
class GameLink:
    """A link to an example game, shown before action `ply`."""

    game: GameId
    label: str
    ply: int = 0


@dataclass(frozen=True)
class Number:
    """One number of a report."""

    label: str
    estimate: Estimate
    unit: Unit = "plain"
    players: str = ""
    """The players of the games behind it: `level 7`."""
    note: str = ""


@dataclass(frozen=True)
class DataPoint:
    """A point of a chart, with its interval if it has one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    told: str = ""
    """Its description."""
    link: GameLink | None = None


@dataclass(frozen=True)
class Series:
    """A series of points in a chart."""

    name: str
    points: tuple[DataPoint, ...]
    form: Literal["line", "points", "bars", "band"] = "line"
    is_faint: bool = False
    is_labelled: bool = False
    """Whether its name is at its last point instead of in the legend."""


@dataclass(frozen=True)
class Chart:
    """A chart; `title` says what is drawn, `about` is a sentence on what it shows."""

    title: str
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    about: str
    unit: Unit = "plain"
    x_labels: Mapping[float, str] = field(default_factory=dict)
    level: float | None = None
    """The y of a horizontal reference line: the even value."""
    y_range: tuple[float, float] | None = None


@dataclass(frozen=True)
class Cell:
    """A table cell: text, or a number written with its interval."""

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
    """A section on one statistic: a sentence on the finding, and what it means and doesn't mean."""

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
    """A sentence for the summary at the top of the page; empty if it doesn't belong there."""
    method: str = ""
    """How the numbers are computed, if not as for all sections."""


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
    """An estimate's value and interval: `53 % (51–55)`."""
    digits = precision(estimate, unit)
    value = written(estimate.value, unit, digits)
    return f"{value} ({interval(estimate, unit)})" if estimate.has_interval else value


def interval(estimate: Estimate, unit: Unit) -> str:
    """The ends of an interval, without a unit that the value before it already shows."""
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
    """The number of decimal places: only as many as are meaningful given the interval."""
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
    """The number of games, and of blocks if different, behind an estimate."""
    games = counted(estimate.games)
    return games if estimate.blocks == estimate.games else f"{games} in {estimate.blocks:,} blocks"


def counted(count: int, one: str = "game") -> str:
    """`1 game`, `1,200 games`."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def player_in_words(bot: str) -> str:
    """The display name of a bot: `level 5` for `5`."""
    return f"level {bot}" if bot.isdecimal() else bot


def p_in_words(p: float) -> str:
    """A p-value as text: `p = 0.021`."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def margin_in_words(points: int) -> str:
    """Points with their sign: `+3`, `−3`, `0`."""
    return f"{points:+d}".replace("-", "−") if points else "0"


_SMALL = str.maketrans("0123456789-.", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻·")


def _raised(value: float) -> str:
    return f"{value:.0f}".translate(_SMALL) if abs(value) >= 10 else f"{value:.1f}".translate(_SMALL)
