"""Win chances over a game as an SVG document, in the style of the boards."""

import xml.etree.ElementTree as ET
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from kakomi.boards import Place
from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.core.returns import percent
from kakomi.draw.board_template import add
from kakomi.draw.player_style import PlayerStyle, player_styles
from kakomi.draw.shapes import number
from kakomi.draw.theme import checked, stylesheet
from kakomi.study.analysis.analysis import Analysis
from kakomi.study.analysis.move import CERTAIN, Move, standard_error
from kakomi.study.analysis.summary import limits_in_words

WIDTH = 860.0
LEFT, RIGHT = 70.0, 836.0
TOP = 118.0
"""Of the plot; title, players and the numbers of turning points stand above it."""
HEIGHT = 240.0
"""Of the plot."""
SIZES, ANCHORS = (13, 14, 20), ("start", "middle", "end")
"""Of words."""


@dataclass(frozen=True)
class Chart:
    """An analysis, its heading, and the lengths that follow; all lengths are the drawing's units."""

    analysis: Analysis
    title: str
    seated: tuple[str, ...]
    """For each player the name that is drawn."""
    prefix: str
    translate: Callable[[str], str] = str
    """Translates texts into the viewer's language."""

    @property
    def player_styles(self) -> tuple[PlayerStyle, ...]:
        return player_styles(self.analysis.game.player_names)

    @cached_property
    def moments(self) -> tuple[float, ...]:
        """When positions were reached, in turns."""
        return tuple(moment for moment, _ in self.analysis.reports)

    @cached_property
    def stacked(self) -> list[tuple[float, ...]]:
        """For each position the sums of chances, from 0 over the first player's to 1."""
        return [(0.0, *accumulate(report.chances)) for _, report in self.analysis.reports]

    def x(self, moment: float) -> float:
        """The x coordinate of a moment, in turns from the start of the game."""
        first, last = self.moments[0], self.moments[-1]
        return LEFT + (RIGHT - LEFT) * (moment - first) / (last - first)

    def y(self, chance: float) -> float:
        """The y coordinate of a chance."""
        return TOP + HEIGHT * (1 - chance)

    def line(self, heights: Sequence[float]) -> list[Place]:
        """Places of heights, one for each position."""
        places = zip(self.moments, heights, strict=True)
        return [(self.x(moment), self.y(height)) for moment, height in places]

    def place(self, move: Move) -> Place:
        """The y coordinate of an outcome: between the areas of two players, or in the area of one of more."""
        moment = move.ply.moment
        below, above = self.stacked[self.moments.index(moment)][move.ply.player : move.ply.player + 2]
        if self.analysis.game.players == 2:
            return self.x(moment), self.y(above if move.ply.player == 0 else below)
        return self.x(moment), self.y((below + above) / 2)

    def id(self, name: str) -> str:
        return f"{self.prefix}-{name}"


def path(places: Sequence[Place]) -> str:
    """Straight lines through places."""
    return "M" + "L".join(f"{number(x)},{number(y)}" for x, y in places)


def text(parent: ET.Element, words: str, place: Place, size: int = 14, anchor: str = "start") -> ET.Element:
    """Words at a place, which is where their line begins, ends or has its middle.

    Size and anchor, one of `SIZES` and of `ANCHORS`, are classes: pages allow no style in an element.
    """
    x, y = (number(length) for length in place)
    element = add(parent, "text", cls=f"label words-{size} from-{anchor}", x=x, y=y)
    element.text = words
    return element


MOST_LISTED = 12
"""Turning points told in words under the plot: the costliest."""
_FOOT = TOP + HEIGHT + 62
"""The y where the words under the plot begin."""
_LINE = 21.0
_STONE = 8
_NUMBER_WIDTH, _NUMBER_ROWS = 8.0, 3
_TICKS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000)
_MOST_TICKS = 14
_PAPER = "paper"
_ABOVE, _BELOW = 3.0 + 20.0 * _NUMBER_ROWS, 46.0
"""Room round a plot that stands alone, for numbers of turning points and of turns."""
_RULES: Mapping[str, str] = {
    ".area": "stroke:none",
    ".boundary": "stroke-width:1.6;stroke-linejoin:round",
    ".quarter": "stroke-opacity:.45",
    ".plot": "stroke-width:1.6",
    ".pointer": "stroke-width:1;stroke-opacity:.7",
    ".ring": "stroke-width:2.2",
    ".door": "fill:#000;fill-opacity:0",
    **{f".words-{size}": f"font-size:{size}px" for size in SIZES},
    **{f".from-{anchor}": f"text-anchor:{anchor}" for anchor in ANCHORS},
}
"""The style of a plot beyond that of boards."""


def draw_chances(analysis: Analysis, title: str, seated: Sequence[str] = (), theme: str = "auto") -> str:
    """The chances of all players one above the other over the turns, turning points marked, as SVG.

    `title` stands above it and `seated` names the players in order; `theme` is "light", "dark" or
    "auto" (the viewer's). Raises ValueError for an unknown theme or an analysis without actions.
    """
    if not analysis.moves:
        raise ValueError("there is nothing to draw: the analysis has no actions")
    names = tuple(seated) or analysis.game.player_names
    chart = Chart(analysis, title, names, _prefix(analysis, title, theme))
    listed = _listed(analysis)
    height = _FOOT + 26 + _LINE * ((len(listed) + 1) // 2)
    root = _root(chart, height)
    add(root, "title", id=chart.id("title")).text = f"Win chances: {title}"
    add(root, "desc", id=chart.id("desc")).text = described(analysis)
    root.append(_style(chart, checked(theme)))
    _draw_panel(root, chart, height)
    _draw_heading(root, chart)
    _draw_plot(root, chart)
    _draw_words(root, chart, listed)
    return _written(root)


def draw_plot(
    analysis: Analysis, prefix: str, link: Callable[[int], str], *, translate: Callable[[str], str] = str
) -> str:
    """The plot alone, to stand in a page that links the boards' style sheet and `page_stylesheet`.

    All ids begin with `prefix`. A click on a turn follows `link` of its number, where that isn't empty.
    `translate` puts what is written into the viewer's language.
    Raises ValueError for an analysis without actions.
    """
    if not analysis.moves:
        raise ValueError("there is nothing to draw: the analysis has no actions")
    chart = Chart(analysis, "", analysis.game.player_names, prefix, translate)
    top, height = number(TOP - _ABOVE), number(HEIGHT + _ABOVE + _BELOW)
    root = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", id=prefix, role="group")
    root.set("class", "board board-paper chances")
    root.set("viewBox", f"0 {top} {number(WIDTH)} {height}")
    root.set("aria-label", described(analysis, translate))
    _draw_plot(add(root, "g", aria_hidden="true"), chart)
    _draw_doors(root, chart, link)
    return _written(root)


def page_stylesheet() -> str:
    """The style of plots in pages, beyond that of boards."""
    return "\n".join(f".chances {selector}{{{rule}}}" for selector, rule in _RULES.items()) + "\n"


def _style(chart: Chart, theme: str) -> ET.Element:
    style = ET.fromstring(stylesheet(theme, _PAPER, chart.prefix, chart.player_styles))
    own = "\n".join(f"#{chart.prefix} {selector}{{{rule}}}" for selector, rule in _RULES.items())
    style.text = f"{style.text}\n{own}"
    return style


def _written(root: ET.Element) -> str:
    ET.indent(root, space="")
    return ET.tostring(root, encoding="unicode") + "\n"


def _draw_plot(root: ET.Element, chart: Chart) -> None:
    _draw_areas(root, chart)
    _draw_axes(root, chart)
    _draw_turning_points(root, chart)


def _draw_doors(root: ET.Element, chart: Chart, link: Callable[[int], str]) -> None:
    """Invisible links over every turn. Words beside the plot serve the keyboard."""
    start = chart.moments[0]
    for turn in sorted({move.ply.turn for move in chart.analysis.moves}):
        if not (address := link(turn)):
            continue
        left, right = chart.x(max(start, turn - 1)), chart.x(min(turn, chart.moments[-1]))
        door = add(root, "a", href=address, tabindex="-1", aria_hidden="true", data_node=str(turn))
        box = {"x": number(left), "y": number(TOP), "width": number(right - left), "height": number(HEIGHT)}
        add(door, "rect", cls="door", **box)


def described(analysis: Analysis, translate: Callable[[str], str] = str) -> str:
    """The picture in sentences, for people who hear it read."""
    names = [translate(name) for name in analysis.game.player_names]
    before, after = (
        ", ".join(f"{name} {percent(c)}" for name, c in zip(names, report.chances, strict=True))
        for _, report in (analysis.reports[0], analysis.reports[-1])
    )
    parts = [
        lazy_message("Before turn {turn}: {chances}.", turn=_first_turn(analysis), chances=before),
        lazy_message("After turn {turn}: {chances}.", turn=analysis.moves[-1].ply.turn, chances=after),
    ]
    parts += [
        lazy_message("Turning point: turn {move}.", move=_told(move)) for move in analysis.turning_points
    ]
    return " ".join(translate(part) for part in parts)


def _first_turn(analysis: Analysis) -> int:
    return analysis.moves[0].ply.turn


def _told(move: Move) -> LazyMessage:
    """A turning point in a line."""
    ply, texts = move.ply, move.ply.before.game.action_texts
    chances = f"{percent(move.promise)} → {percent(move.after.chances[ply.player])}"
    sign = move.grade.sign if move.grade else ""
    return lazy_message(
        "{turn} {player} {action}: {chances}, better {better}",
        turn=ply.number,
        player=lazy_message(ply.player_name),
        action=f"{ply.action_text}{sign}",
        chances=chances,
        better=texts[move.best[0]],
    )


def _listed(analysis: Analysis) -> list[Move]:
    costliest = sorted(analysis.turning_points, key=lambda move: -move.loss)[:MOST_LISTED]
    return [move for move in analysis.turning_points if move in costliest]


def _prefix(analysis: Analysis, title: str, theme: str) -> str:
    shown = (title, theme, [report.chances for _, report in analysis.reports])
    return f"chances-{zlib.crc32(repr(shown).encode()):08x}"


def _root(chart: Chart, height: float) -> ET.Element:
    root = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", id=chart.prefix, role="img")
    root.set("viewBox", f"0 0 {number(WIDTH)} {number(height)}")
    root.set("width", number(WIDTH))
    root.set("height", number(height))
    root.set("aria-labelledby", f"{chart.id('title')} {chart.id('desc')}")
    return root


def _draw_panel(root: ET.Element, chart: Chart, height: float) -> None:
    shade = add(add(root, "defs"), "linearGradient", id=chart.id("ground"), x1="0", y1="0", x2=".3", y2="1")
    for offset, tone in (("0", "high"), ("1", "low")):
        add(shade, "stop", offset=offset, cls=tone)
    box = {"x": "1", "y": "1", "width": number(WIDTH - 2), "height": number(height - 2), "rx": "12"}
    add(root, "rect", cls="panel", fill=f"url(#{chart.id('ground')})", **box)


def _draw_heading(root: ET.Element, chart: Chart) -> None:
    """The title, and every player's stone and name, spread over the width."""
    text(root, chart.title, (LEFT, 34), 20)
    room = (RIGHT - LEFT) / max(3, len(chart.seated))
    for player, name in enumerate(chart.seated):
        x = LEFT + player * room
        stone = {"cx": number(x + _STONE), "cy": "56", "r": str(_STONE)}
        add(root, "circle", cls=f"of-{chart.player_styles[player].name}", stroke_width="1", **stone)
        text(root, _shortened(name, int(room / 7) - 3), (x + 2.5 * _STONE, 61))


def _draw_areas(root: ET.Element, chart: Chart) -> None:
    """Chances as areas, the first player's lowest; between two players also how sure they are."""
    for player in range(chart.analysis.game.players):
        below = chart.line([sums[player] for sums in chart.stacked])
        above = chart.line([sums[player + 1] for sums in chart.stacked])
        area = f"area of-{chart.player_styles[player].name}"
        add(root, "path", cls=area, d=f"{path([*below, *above[::-1]])}Z")
    if chart.analysis.game.players == 2:
        add(root, "path", cls="tint", d=f"{path(_band(chart))}Z")
    for player in range(1, chart.analysis.game.players):
        boundary = chart.line([sums[player] for sums in chart.stacked])
        add(root, "path", cls="lasts boundary", d=path(boundary))


def _band(chart: Chart) -> list[tuple[float, float]]:
    """Round the first player's chances, as wide as noise may be."""
    errors = [
        standard_error(report.chances[0], report.samples, chart.analysis.dispersion)
        for _, report in chart.analysis.reports
    ]
    chances = [report.chances[0] for _, report in chart.analysis.reports]
    pairs = list(zip(chances, errors, strict=True))
    upper = chart.line([min(1.0, chance + CERTAIN * error) for chance, error in pairs])
    return upper + chart.line([max(0.0, chance - CERTAIN * error) for chance, error in pairs])[::-1]


def _draw_axes(root: ET.Element, chart: Chart) -> None:
    bottom = TOP + HEIGHT
    for quarter in range(5):
        y = chart.y(quarter / 4)
        add(root, "path", cls="lines quarter", d=path([(LEFT, y), (RIGHT, y)]))
        text(root, f"{25 * quarter} %", (LEFT - 8, y + 5), 13, "end")
    for turn in _ticks(chart):
        x = chart.x(turn)
        add(root, "path", cls="lines", d=path([(x, bottom), (x, bottom + 5)]))
        text(root, str(turn), (x, bottom + 19), 13, "middle")
    box = {"x": number(LEFT), "y": number(TOP), "width": number(RIGHT - LEFT), "height": number(HEIGHT)}
    add(root, "rect", cls="frame plot", **box)
    text(root, chart.translate(lazy_message("turn")), ((LEFT + RIGHT) / 2, bottom + 37), 13, "middle")
    side = text(root, chart.translate(_measure(chart)), (0, 0), 13, "middle")
    side.set("transform", f"translate(19 {number(TOP + HEIGHT / 2)}) rotate(-90)")


def _measure(chart: Chart) -> LazyMessage:
    first, *others = chart.analysis.game.player_names
    if len(others) == 1:
        return lazy_message("{player}’s win chance", player=lazy_message(first))
    return lazy_message("win chances, {player} lowest", player=lazy_message(first))


def _ticks(chart: Chart) -> range:
    first, last = chart.moments[0], chart.moments[-1]
    step = next((step for step in _TICKS if (last - first) / step <= _MOST_TICKS), _TICKS[-1])
    return range(-int(-first // step) * step, int(last) + 1, step)


def _draw_turning_points(root: ET.Element, chart: Chart) -> None:
    """A ring where each leads, and its turn's number above the plot, lower where there is room."""
    ends = [LEFT - 20.0] * _NUMBER_ROWS
    for move in chart.analysis.turning_points:
        x, y = chart.place(move)
        half = _NUMBER_WIDTH * len(move.ply.number) / 2
        row = next((row for row, end in enumerate(ends) if end < x - half - 3), None)
        if row is not None:
            ends[row] = x + half
            foot = TOP - 8 - 15 * row
            text(root, move.ply.number, (x, foot), 13, "middle")
            add(root, "path", cls="lasts pointer", d=path([(x, foot + 3), (x, y - 6)]))
        centre = {"cx": number(x), "cy": number(y)}
        add(
            root,
            "circle",
            cls=f"of-{chart.player_styles[move.ply.player].name}",
            r="5.5",
            stroke_width="1",
            **centre,
        )
        ring = add(root, "circle", cls="lasts ring", r="7", **centre)
        add(ring, "title").text = chart.translate(_told(move))


def _draw_words(root: ET.Element, chart: Chart, listed: Sequence[Move]) -> None:
    """The turning points in two columns, and how all this was found."""
    half = (len(listed) + 1) // 2
    for place, move in enumerate(listed):
        column, row = divmod(place, half)
        x = LEFT + column * (RIGHT - LEFT) / 2
        y = _FOOT + row * _LINE
        stone = {"cx": number(x + 6), "cy": number(y - 5), "r": "5.5"}
        add(root, "circle", cls=f"of-{chart.player_styles[move.ply.player].name}", stroke_width="1", **stone)
        text(root, _told(move), (x + 18, y))
    text(root, _method(chart.analysis, len(listed)), (LEFT, _FOOT + half * _LINE + 4), 13)


def _method(analysis: Analysis, listed: int) -> str:
    total = len(analysis.turning_points)
    others = f" ({total - listed} more marked)" if total > listed else ""
    marked = "no turning points" if not total else f"turning points lost 10 points or more{others}"
    band = "; the band is ± 2 standard errors" if analysis.game.players == 2 else ""
    return f"{limits_in_words(analysis.effort)} a position; {marked}{band}"


def _shortened(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
