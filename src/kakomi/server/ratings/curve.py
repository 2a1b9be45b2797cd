"""The curve of a rating over games, as SVG: the mean, and the band in which the strength lies with 95 %."""

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from kakomi.contest import Rating

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 8, 8, 26
"""Room round the curve."""
MOST = 300
"""Points that are drawn; of more games, evenly chosen ones."""


def draw_curve(ratings: Sequence[Rating]) -> SafeString:
    """A curve of ratings in order. The table beside it says the same in words."""
    last = len(ratings) - 1
    chosen = _chosen(last)
    low, high = min(ratings[i].low for i in chosen), max(ratings[i].high for i in chosen)

    def x(number: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * number / max(last, 1)

    def y(points: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - points) / max(high - low, 1.0)

    upper = [f"{x(i):.1f},{y(ratings[i].high):.1f}" for i in chosen]
    lower = [f"{x(i):.1f},{y(ratings[i].low):.1f}" for i in reversed(chosen)]
    mean = [f"{x(i):.1f},{y(ratings[i].mean):.1f}" for i in chosen]
    lines = [(LEFT, WIDTH - RIGHT, f"{y(mark):.1f}", LEFT - 6, mark) for mark in _marks(low, high)]
    return format_html(
        '<svg class="rating-curve" viewBox="0 0 {} {}" role="img" aria-label="{}">{}'
        '<polygon class="band" points="{}"/><polyline class="mean" points="{}"/>'
        '<text x="{}" y="{}" text-anchor="middle">{}</text></svg>',
        WIDTH,
        HEIGHT,
        gettext("The rating after each game, with its 95 % interval; the table below has the figures."),
        format_html_join(
            "",
            '<g class="mark"><line x1="{0}" x2="{1}" y1="{2}" y2="{2}"/>'
            '<text x="{3}" y="{2}" dy="4" text-anchor="end">{4}</text></g>',
            lines,
        ),
        " ".join([*upper, *lower]),
        " ".join(mean),
        (WIDTH + LEFT) // 2,
        HEIGHT - 6,
        gettext("games: {count}").format(count=last),
    )


def _chosen(last: int) -> list[int]:
    if last < MOST:
        return list(range(last + 1))
    return sorted({round(i * last / (MOST - 1)) for i in range(MOST)})


def _marks(low: float, high: float) -> range:
    """Round numbers of points between two, five to ten of them."""
    step = next(step for step in (50, 100, 200, 500, 1000, 5000) if (high - low) / step <= 9)
    return range(int(-(-low // step)) * step, int(high) + 1, step)
