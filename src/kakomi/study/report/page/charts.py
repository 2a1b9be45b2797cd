"""Charts and boards of a report's page, as SVG.

Charts use the page's colours; each point has a tooltip, and arrow keys move between points. Heat maps use the
project's board drawings.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import escape
from itertools import pairwise

from kakomi.core import Game
from kakomi.draw import Scene
from kakomi.draw.board_template import template_of
from kakomi.draw.shapes import UNIT
from kakomi.draw.svg import draw_svg
from kakomi.study.report.content import Chart, DataPoint, GameLink, Section, Series, Table, written


def anchor(link: GameLink) -> str:
    """The id of a link's game on the page."""
    return f"game-{link.game}"


def links_of(sections: list[Section]) -> list[GameLink]:
    """All links of a report, each game once, in the order of the page."""
    found: dict[str, GameLink] = {}
    for section in sections:
        for link in _of_section(section):
            found.setdefault(anchor(link), link)
    return list(found.values())


def _of_section(section: Section) -> list[GameLink]:
    links: list[GameLink | None] = [*section.links]
    for figure in section.figures:
        if isinstance(figure, Table):
            links += [cell.link for row in figure.rows for cell in row]
        elif isinstance(figure, Chart):
            links += [point.link for series in figure.series for point in series.points]
    return [link for link in links if link]


WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 68, 14, 14, 46
TICKS = 5
ROOM = 0.08
"""The space above and below the points, as a fraction of their range."""
_STEPS = (1, 2, 2.5, 5, 10)


class Axis:
    """Maps values to coordinates between two ends in the drawing."""

    def __init__(self, low: float, high: float, begin: float, end: float, *, counts: bool = False) -> None:
        self.counts = counts
        self.low, self.high = (low, high) if high > low else (low - 0.5, high + 0.5)
        self._begin, self._end = begin, end

    def at(self, value: float) -> float:
        held = min(self.high, max(self.low, value))
        return self._begin + (held - self.low) / (self.high - self.low) * (self._end - self._begin)

    def ticks(self, most: int = TICKS) -> list[float]:
        """About `most` round values."""
        rough = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in _STEPS if power * factor >= rough * 0.999)
        if self.counts:
            step = max(1.0, math.ceil(step))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [round(step * place, 10) for place in range(first, last + 1)]


def draw_chart(chart: Chart, key: str) -> str:
    """The chart as an SVG element; `key` makes its ids unique."""
    x, y = _axes(chart)
    dodged = _dodged(chart)
    parts = [
        (
            f'<svg class="chart" id="{key}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" tabindex="0" '
            f'aria-labelledby="{key}-t {key}-d" data-chart>'
        ),
        f'<title id="{key}-t">{escape(chart.title)}</title>',
        f'<desc id="{key}-d">{escape(_described(chart))}</desc>',
        *_grid(chart, x, y),
        *(f for number, series in enumerate(dodged) for f in _series(series, number, x, y)),
        *_points(dodged, x, y),
        "</svg>",
    ]
    return "\n".join(parts) + _legend(chart)


def colour_of(series: Series, number: int) -> str:
    """The CSS class for a series' colour."""
    return "faint" if series.is_faint else f"c{number % 6}"


def _axes(chart: Chart) -> tuple[Axis, Axis]:
    points = [point for series in chart.series for point in series.points]
    xs = [point.x for point in points]
    bars = [series for series in chart.series if series.form == "bars"]
    half = _bar_width(bars[0]) / 2 if bars else 0.35 if chart.x_labels else 0.0
    x = Axis(min(xs) - half, max(xs) + half, LEFT, WIDTH - RIGHT)
    if chart.y_range:
        low, high = chart.y_range
    else:
        ends = [end for p in points for end in (p.y, p.low, p.high) if end is not None and math.isfinite(end)]
        ends += [0.0] if bars else [] if chart.level is None else [chart.level]
        low, high = min(ends), max(ends)
        room = ROOM * (high - low or abs(high) or 1.0)
        low, high = low - (0 if bars or low == 0 else room), high + room
        if chart.unit == "percent":
            low, high = max(0.0, low), min(1.0, high)
        elif min(ends) >= 0:
            low = max(0.0, low)
    return x, Axis(low, high, HEIGHT - BOTTOM, TOP, counts=bool(bars))


def _grid(chart: Chart, x: Axis, y: Axis) -> Iterator[str]:
    yield '<g class="grid">'
    for tick in y.ticks():
        yield f'<path d="M{LEFT} {y.at(tick):.1f}H{WIDTH - RIGHT}"/>'
    yield "</g>"
    if chart.level is not None:
        yield f'<path class="even" d="M{LEFT} {y.at(chart.level):.1f}H{WIDTH - RIGHT}"/>'
    yield '<g class="scale" aria-hidden="true">'
    for tick in y.ticks():
        text = (
            written(tick, chart.unit, _digits(y))
            if chart.unit != "percent"
            else f"{100 * tick:.{_digits(y, 100)}f} %"
        )
        yield f'<text x="{LEFT - 8}" y="{y.at(tick) + 4:.1f}" text-anchor="end">{escape(text)}</text>'
    for tick, text in _x_ticks(chart, x):
        place = f'x="{x.at(tick):.1f}" y="{HEIGHT - BOTTOM + 18}"'
        yield f'<text {place} text-anchor="middle">{escape(text)}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield (
        f'<text class="axis" x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle">'
        f"{escape(chart.x_title)}</text>"
    )
    across = (TOP + HEIGHT - BOTTOM) / 2
    yield (
        f'<text class="axis" transform="rotate(-90 11 {across:.0f})" x="11" y="{across:.0f}" '
        f'text-anchor="middle">{escape(chart.y_title)}</text>'
    )
    yield "</g>"


def _digits(axis: Axis, factor: float = 1.0) -> int:
    ticks = axis.ticks()
    step = factor * (ticks[1] - ticks[0]) if len(ticks) > 1 else 1.0
    return next(
        (digits for digits in range(4) if abs(step * 10**digits - round(step * 10**digits)) < 1e-6), 4
    )


def _x_ticks(chart: Chart, x: Axis) -> list[tuple[float, str]]:
    if chart.x_labels:
        return sorted(chart.x_labels.items())
    return [(tick, f"{tick:,.{_digits(x)}f}".replace("-", "−")) for tick in x.ticks(8)]


def _dodged(chart: Chart) -> list[Series]:
    """Shift series with labelled x values apart, so that their intervals don't overlap."""
    if not chart.x_labels or len(chart.series) < 2:
        return list(chart.series)
    step = min(0.08, 0.4 / len(chart.series))
    middle = (len(chart.series) - 1) / 2
    return [
        replace(series, points=tuple(replace(p, x=p.x + (place - middle) * step) for p in series.points))
        for place, series in enumerate(chart.series)
    ]


def _series(series: Series, number: int, x: Axis, y: Axis) -> Iterator[str]:
    if not series.points:
        return
    colour = colour_of(series, number)
    yield f'<g class="{colour}">'
    match series.form:
        case "bars":
            yield from _bars(series, x, y)
        case "band":
            yield _band(series, x, y)
            yield _line(series, x, y)
        case "line":
            yield from _whiskers(series, x, y)
            yield _line(series, x, y)
        case "points":
            yield from _whiskers(series, x, y)
    if series.is_labelled:
        last = series.points[-1]
        place = f'x="{x.at(last.x):.1f}" y="{y.at(last.y) - 4:.1f}"'
        yield f'<text {place} text-anchor="end" aria-hidden="true">{escape(series.name)}</text>'
    yield "</g>"


def _line(series: Series, x: Axis, y: Axis) -> str:
    places = " ".join(f"{x.at(p.x):.1f},{y.at(p.y):.1f}" for p in series.points)
    return f'<polyline class="line" points="{places}"/>'


def _band(series: Series, x: Axis, y: Axis) -> str:
    known = [p for p in series.points if p.low is not None and p.high is not None]
    upper = [f"{x.at(p.x):.1f},{y.at(p.high or 0.0):.1f}" for p in known]
    lower = [f"{x.at(p.x):.1f},{y.at(p.low or 0.0):.1f}" for p in reversed(known)]
    return f'<polygon class="band" points="{" ".join(upper + lower)}"/>'


def _whiskers(series: Series, x: Axis, y: Axis) -> Iterator[str]:
    for p in series.points:
        if p.low is not None and p.high is not None:
            at = f"{x.at(p.x):.1f}"
            yield f'<path class="whisker" d="M{at} {y.at(p.low):.1f}V{y.at(p.high):.1f}"/>'


def _bar_width(series: Series) -> float:
    places = [p.x for p in series.points]
    return min((after - before for before, after in pairwise(places)), default=1.0)


def _bars(series: Series, x: Axis, y: Axis) -> Iterator[str]:
    half = 0.46 * _bar_width(series)
    for p in series.points:
        left, right = x.at(p.x - half), x.at(p.x + half)
        top, bottom = y.at(p.y), y.at(max(0.0, y.low))
        size = f'width="{right - left:.1f}" height="{bottom - top:.1f}"'
        yield f'<rect class="bar" x="{left:.1f}" y="{top:.1f}" {size}/>'


def _points(dodged: list[Series], x: Axis, y: Axis) -> Iterator[str]:
    """A dot for each point with a description, for the pointer and the arrow keys."""
    yield '<g class="dots">'
    for number, series in enumerate(dodged):
        small = " small" if series.form in ("band", "bars") else ""
        for p in series.points:
            if not p.told or (series.form == "bars" and not p.y):
                continue
            link = f' data-game="{anchor(p.link)}" data-ply="{p.link.ply}"' if p.link else ""
            place = f'cx="{x.at(p.x):.1f}" cy="{y.at(p.y):.1f}"'
            yield (
                f'<circle class="dot{small} {colour_of(series, number)}" {place} r="4"{link}>'
                f"<title>{escape(p.told)}</title></circle>"
            )
    yield "</g>"


def _legend(chart: Chart) -> str:
    named = enumerate(chart.series)
    shown = [(number, series) for number, series in named if series.points and not series.is_labelled]
    if len(shown) < 2:
        return ""
    keys = "".join(
        f'<li class="{colour_of(series, number)}"><span class="key"></span>{escape(series.name)}</li>'
        for number, series in shown
    )
    return f'\n<ul class="legend" aria-hidden="true">{keys}</ul>'


def _described(chart: Chart) -> str:
    told = [point.told for series in chart.series for point in series.points if point.told]
    some = told if len(told) <= 12 else [*told[:: max(1, len(told) // 8)]]
    return f"{chart.about} {'; '.join(some)}."


def rows(chart: Chart) -> list[tuple[str, DataPoint]]:
    """All points that have a description, with their series' names, for a table beside the chart."""
    return [(series.name, point) for series in chart.series for point in series.points if point.told]


def empty_board(game: Game, key: str) -> str:
    """An empty board, for a script to put stones on."""
    return draw_svg(_scene(game, {}), prefix=key)


def picture(game: Game, stones: dict[str, int], key: str) -> str:
    """The board with stones on it."""
    return re.sub(r"<title>[^<]*</title>\n", "", draw_svg(_scene(game, stones), prefix=key))


def point_places(game: Game) -> list[tuple[float, float]]:
    """The coordinates of each point in the drawing's units."""
    places = template_of(game.start().scene()).places
    return [
        (round(places[name][0] * UNIT, 1), round(places[name][1] * UNIT, 1)) for name in game.geometry.names
    ]


def cell_places(game: Game) -> dict[str, tuple[float, float]]:
    """The coordinates of each cell in the drawing's units."""
    places = template_of(game.start().scene()).places
    return {
        cell.name: (round(places[cell.name][0] * UNIT, 1), round(places[cell.name][1] * UNIT, 1))
        for cell in game.geometry.cells
    }


def _scene(game: Game, stones: Mapping[str, int]) -> Scene:
    """The game's board with stones, without a player to act."""
    return replace(game.start().scene(), stones=stones, to_move=None)
