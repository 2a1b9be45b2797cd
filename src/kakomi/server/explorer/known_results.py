"""How games begin on this site, and the chart of bots' levels."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Count
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from kakomi.contest.estimate import estimated
from kakomi.core import Game
from kakomi.core.known_results import Figure, LevelFigure
from kakomi.server.explorer.models import Opening
from kakomi.server.explorer.openings import opening_key

MOST = 5
"""The number of first moves listed."""


@dataclass(frozen=True)
class FirstMove:
    """A first action up to symmetry, and the number of listed games that began with it."""

    action: str
    games: int
    of: int
    """The number of all finished listed games on this board."""
    first_wins: Figure | None
    """The first player's share of the win in the games with this action; None if none has a result."""


def first_moves(game: Game) -> list[FirstMove]:
    """The first actions of finished listed games on a board, the most frequent first."""
    actions = _actions_by_key(game)
    rows = (
        Opening.objects.filter(key__in=actions, table__listed_at__isnull=False)
        .values_list("key", "first_share")
        .annotate(games=Count("pk"))
    )
    shares: defaultdict[str, list[float | None]] = defaultdict(list)
    for key, share, games in rows:
        shares[key] += [share] * games
    total = sum(map(len, shares.values()))
    often = sorted(shares, key=lambda key: (-len(shares[key]), key))[:MOST]
    return [FirstMove(actions[key], len(shares[key]), total, _mean(shares[key])) for key in often]


def _mean(shares: Sequence[float | None]) -> Figure | None:
    """The mean share of the games that have a result, with its Wilson interval."""
    found = estimated([share for share in shares if share is not None], 1)
    if found is None:
        return None
    return Figure(value=found.score, low=found.low, high=found.high, games=found.blocks)


@lru_cache(maxsize=32)
def _actions_by_key(game: Game) -> Mapping[str, str]:
    """The first actions by the key of the resulting position, one for each class of symmetric actions."""
    start = game.start()
    found: dict[str, str] = {}
    for action in map(int, start.legal_actions()):
        found.setdefault(opening_key(start.play_action(action)), game.action_texts[action])
    return found


WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 52, 8, 10, 28
"""The margins around the chart, in SVG units."""
MARKS = (0, 25, 50, 75, 100)
"""The grid lines, in per cent."""


@dataclass(frozen=True)
class LevelChart:
    """A chart with a label for screen readers; an accompanying table has the figures."""

    label: str
    figures: Sequence[LevelFigure]
    even: float | None = None
    """The share at which to draw a line for even chances; None for no line."""

    def draw(self, names: Sequence[str]) -> SafeString:
        """Draw the chart, with a name below each figure."""
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
    """The vertical positions of a figure and the ends of its interval."""
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
