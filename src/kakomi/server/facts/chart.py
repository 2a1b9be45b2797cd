"""A chart of shares with their intervals, one for each level, as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from kakomi.core.known_results import LevelFigure

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 52, 8, 10, 28
"""Room round the chart."""
MARKS = (0, 25, 50, 75, 100)
"""Per cent."""


@dataclass(frozen=True)
class LevelChart:
    """A chart, and what is said of it to those who don't see it; a table beside it has the figures."""

    label: str
    figures: Sequence[LevelFigure]
    even: float | None = None
    """Where a line goes across: what would be even."""

    def draw(self, names: Sequence[str]) -> SafeString:
        """The chart, with a name below each figure."""
        step = (WIDTH - LEFT - RIGHT) / len(self.figures)
        xs = [round(LEFT + step * (place + 0.5), 1) for place in range(len(self.figures))]
        points = ((x, *_places(one)) for x, one in zip(xs, self.figures, strict=True))
        below = ((x, HEIGHT - 8, name) for x, name in zip(xs, names, strict=True))
        return format_html(
            '<svg class="level-chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}{}</svg>',
            WIDTH,
            HEIGHT,
            self.label,
            _grid(),
            _line_across(self.even),
            format_html_join("", _POINT, points),
            format_html_join("", _NAME, below),
        )


_POINT = '<g class="figure"><line x1="{0}" x2="{0}" y1="{2}" y2="{3}"/><circle cx="{0}" cy="{1}" r="5"/></g>'
_NAME = '<text x="{}" y="{}" text-anchor="middle">{}</text>'


def _y(share: float) -> float:
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - share), 1)


def _places(one: LevelFigure) -> tuple[float, float, float]:
    """Where a figure and the ends of its interval stand."""
    low, high = (one.value if end is None else end for end in (one.low, one.high))
    return _y(one.value), _y(low), _y(high)


def _grid() -> SafeString:
    lines = ((LEFT, WIDTH - RIGHT, _y(mark / 100), LEFT - 6, mark) for mark in MARKS)
    return format_html_join(
        "",
        '<g class="mark"><line x1="{0}" x2="{1}" y1="{2}" y2="{2}"/>'
        '<text x="{3}" y="{2}" dy="4" text-anchor="end">{4}&#8239;%</text></g>',
        lines,
    )


def _line_across(share: float | None) -> SafeString:
    if share is None:
        return SafeString("")
    line = '<line class="even" x1="{}" x2="{}" y1="{}" y2="{}"/>'
    return format_html(line, LEFT, WIDTH - RIGHT, _y(share), _y(share))
