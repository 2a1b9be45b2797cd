"""Win chances and leads over a game as an SVG chart in the style of the boards; and likely owners."""

import xml.etree.ElementTree as ET
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from kakomi.analysis.analysis import Analysis
from kakomi.analysis.move import Move, standard_error
from kakomi.analysis.summary import limits_in_words
from kakomi.analysis.swing import CERTAIN
from kakomi.boards import Place
from kakomi.core import Position
from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.core.returns import percent
from kakomi.draw import Mark, Overlay
from kakomi.draw.board_template import add
from kakomi.draw.player_style import PlayerStyle, player_styles
from kakomi.draw.shapes import number
from kakomi.draw.theme import checked, stylesheet
from kakomi.search.report import Ownership

WIDTH = 860.0
LEFT, RIGHT = 70.0, 836.0
TOP = 118.0
"""The top of the plot; the title, the players and the numbers of turning points are above it."""
HEIGHT = 240.0
"""The height of the plot."""
SIZES, ANCHORS = (13, 14, 20), ("start", "middle", "end")
"""Font sizes and text anchors."""


@dataclass(frozen=True)
class Chart:
    """An analysis with its heading, and the coordinates derived from it, in the drawing's units."""

    analysis: Analysis
    title: str
    seated: tuple[str, ...]
    """The displayed name of each player."""
    prefix: str
    translate: Callable[[str], str] = str
    """Translates texts into the viewer's language."""

    @property
    def player_styles(self) -> tuple[PlayerStyle, ...]:
        return player_styles(self.analysis.game.player_names)

    @cached_property
    def moments(self) -> tuple[float, ...]:
        """When each position was reached, in turns from the start of the game."""
        return tuple(moment for moment, _ in self.analysis.reports)

    @cached_property
    def stacked(self) -> list[tuple[float, ...]]:
        """For each position, the cumulative sums of chances: 0, the first player's, and so on up to 1."""
        return [(0.0, *accumulate(report.chances)) for _, report in self.analysis.reports]

    def x(self, moment: float) -> float:
        """The x coordinate of a moment, in turns from the start of the game."""
        first, last = self.moments[0], self.moments[-1]
        return LEFT + (RIGHT - LEFT) * (moment - first) / (last - first)

    def y(self, chance: float) -> float:
        """The y coordinate of a chance."""
        return TOP + HEIGHT * (1 - chance)

    def line(self, heights: Sequence[float]) -> list[Place]:
        """The places on the plot of one height for each position."""
        places = zip(self.moments, heights, strict=True)
        return [(self.x(moment), self.y(height)) for moment, height in places]

    def place(self, move: Move) -> Place:
        """The place of a move's outcome: on the border of two players' areas, or, with more players, in the
        middle of the mover's area."""
        moment = move.ply.moment
        below, above = self.stacked[self.moments.index(moment)][move.ply.player : move.ply.player + 2]
        if self.analysis.game.players == 2:
            return self.x(moment), self.y(above if move.ply.player == 0 else below)
        return self.x(moment), self.y((below + above) / 2)

    def id(self, name: str) -> str:
        return f"{self.prefix}-{name}"


def path(places: Sequence[Place]) -> str:
    """Path data of straight lines through places."""
    return "M" + "L".join(f"{number(x)},{number(y)}" for x, y in places)


def text(parent: ET.Element, words: str, place: Place, size: int = 14, anchor: str = "start") -> ET.Element:
    """Add text at a place, which is the start, middle or end of its baseline.

    Size and anchor, from `SIZES` and `ANCHORS`, become classes because pages don't allow inline styles.
    """
    x, y = (number(length) for length in place)
    element = add(parent, "text", cls=f"label words-{size} from-{anchor}", x=x, y=y)
    element.text = words
    return element


LEAD_TOP, LEAD_HEIGHT = TOP + HEIGHT + 68, 100.0
"""The panel of leads, under the turns' numbers."""
_FOOT = LEAD_TOP + LEAD_HEIGHT + 32
"""The y coordinate of the first line under the plot."""
_LINE = 21.0
_STONE = 8
_NUMBER_WIDTH = 13.0
"""Enough for a digit in the large text of narrow pages."""
_TICKS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000)
_MOST_TICKS = 14
_PAPER = "paper"
_ABOVE, _BELOW = 40.0, 10.0
"""Space around a plot without a heading."""
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
"""CSS rules of a plot, in addition to the boards' style sheet."""


def draw_chances(analysis: Analysis, title: str, seated: Sequence[str] = (), theme: str = "auto") -> str:
    """Draw all players' chances, stacked over the turns, with turning points marked, as an SVG document.

    `title` is the heading and `seated` the players' names in order; `theme` is "light", "dark" or "auto"
    (the viewer's). Raises ValueError for an unknown theme or an analysis without actions.
    """
    if not analysis.moves:
        raise ValueError("there is nothing to draw: the analysis has no actions")
    names = tuple(seated) or analysis.game.player_names
    chart = Chart(analysis, title, names, _prefix(analysis, title, theme))
    listed = analysis.highlights
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
    """Draw the plot alone, for a page that links the boards' style sheet and `page_stylesheet`.

    All ids begin with `prefix`. A turn links to `link(its number)`, unless that is empty. `translate`
    translates texts into the viewer's language. Raises ValueError for an analysis without actions.
    """
    if not analysis.moves:
        raise ValueError("there is nothing to draw: the analysis has no actions")
    chart = Chart(analysis, "", analysis.game.player_names, prefix, translate)
    top, height = number(TOP - _ABOVE), number(LEAD_TOP + LEAD_HEIGHT + _BELOW - TOP + _ABOVE)
    root = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", id=prefix, role="group")
    root.set("class", "board board-paper chances")
    root.set("viewBox", f"0 {top} {number(WIDTH)} {height}")
    root.set("aria-label", described(analysis, translate))
    _draw_plot(add(root, "g", aria_hidden="true"), chart)
    _draw_doors(root, chart, link)
    return _written(root)


def page_stylesheet() -> str:
    """The style sheet for plots in pages, in addition to the boards' own."""
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
    _draw_leads(root, chart)


def _draw_doors(root: ET.Element, chart: Chart, link: Callable[[int], str]) -> None:
    """Add invisible links over every turn for the mouse. The text beside the plot serves the keyboard."""
    start = chart.moments[0]
    for turn in sorted({move.ply.turn for move in chart.analysis.moves}):
        if not (address := link(turn)):
            continue
        left, right = chart.x(max(start, turn - 1)), chart.x(min(turn, chart.moments[-1]))
        door = add(root, "a", href=address, tabindex="-1", aria_hidden="true", data_node=str(turn))
        box = {"x": number(left), "y": number(TOP), "width": number(right - left), "height": number(HEIGHT)}
        add(door, "rect", cls="door", **box)


def described(analysis: Analysis, translate: Callable[[str], str] = str) -> str:
    """A text description of the plot, for screen readers."""
    names = [translate(name) for name in analysis.game.player_names]
    before, after = (
        ", ".join(f"{name} {percent(c)}" for name, c in zip(names, report.chances, strict=True))
        for _, report in (analysis.reports[0], analysis.reports[-1])
    )
    parts = [
        lazy_message("Before move {turn}: {chances}.", turn=_first_turn(analysis), chances=before),
        lazy_message("After move {turn}: {chances}.", turn=analysis.moves[-1].ply.turn, chances=after),
    ]
    parts += [lazy_message("Turning point: move {move}.", move=_told(move)) for move in analysis.highlights]
    return " ".join(translate(part) for part in parts)


def _first_turn(analysis: Analysis) -> int:
    return analysis.moves[0].ply.turn


def _told(move: Move) -> LazyMessage:
    """A turning point in one line."""
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
    """Draw the title, and every player's stone and name spread over the width."""
    text(root, chart.title, (LEFT, 34), 20)
    room = (RIGHT - LEFT) / max(3, len(chart.seated))
    for player, name in enumerate(chart.seated):
        x = LEFT + player * room
        stone = {"cx": number(x + _STONE), "cy": "56", "r": str(_STONE)}
        add(root, "circle", cls=f"of-{chart.player_styles[player].name}", stroke_width="1", **stone)
        text(root, _shortened(name, int(room / 7) - 3), (x + 2.5 * _STONE, 61))


def _draw_areas(root: ET.Element, chart: Chart) -> None:
    """Draw chances as areas, the first player's lowest; for two players also the band of uncertainty."""
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


def _draw_leads(root: ET.Element, chart: Chart) -> None:
    """Draw by how much the leader leads: of two players the second one below the line, with the spread."""
    owned = [report.owned for _, report in chart.analysis.reports if report.owned]
    if len(owned) < len(chart.moments):
        return  # an analysis from before there were leads
    is_pair, middle = chart.analysis.game.players == 2, LEAD_TOP + LEAD_HEIGHT
    room = LEAD_HEIGHT / 2 if is_pair else LEAD_HEIGHT
    middle -= room if is_pair else 0
    most = max(1.0, *(float(each.lead.max()) for each in owned))

    def line(leads: Iterable[float]) -> list[Place]:
        heights = (middle - room * max(-1.0, min(1.0, lead / most)) for lead in leads)
        return [(chart.x(moment), height) for moment, height in zip(chart.moments, heights, strict=True)]

    if is_pair:
        above, below = (line(float(e.lead[0] + sign * e.spread[0]) for e in owned) for sign in (1, -1))
        add(root, "path", cls="tint", d=f"{path([*above, *below[::-1]])}Z")
    for player, style in enumerate(chart.player_styles):
        sign = -1 if is_pair and player else 1
        places = line(sign * max(0.0, float(each.lead[player])) for each in owned)
        area = path([(LEFT, middle), *places, (RIGHT, middle)])
        add(root, "path", cls=f"area of-{style.name}", d=f"{area}Z")
    add(root, "path", cls="lines", d=path([(LEFT, middle), (RIGHT, middle)]))
    for lead, y in ((most, LEAD_TOP), (0, middle), *(((most, middle + room),) if is_pair else ())):
        text(root, f"{lead:.0f}", (LEFT - 8, y + 5), 13, "end")
    box = {"x": number(LEFT), "y": number(LEAD_TOP), "width": number(RIGHT - LEFT)}
    add(root, "rect", cls="frame plot", height=number(LEAD_HEIGHT), **box)
    side = text(root, chart.translate(lazy_message("lead in points")), (0, 0), 13, "middle")
    side.set("transform", f"translate(19 {number(LEAD_TOP + LEAD_HEIGHT / 2)}) rotate(-90)")


def _band(chart: Chart) -> list[tuple[float, float]]:
    """The outline of a band of ± `CERTAIN` standard errors around the first player's chances."""
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
        text(root, str(turn), (x, bottom + 24), 13, "middle")
    box = {"x": number(LEFT), "y": number(TOP), "width": number(RIGHT - LEFT), "height": number(HEIGHT)}
    add(root, "rect", cls="frame plot", **box)
    text(root, chart.translate(lazy_message("turn")), ((LEFT + RIGHT) / 2, bottom + 48), 13, "middle")
    side = text(root, chart.translate(_measure(chart)), (0, 0), 13, "middle")
    side.set("transform", f"translate(19 {number(TOP + HEIGHT / 2)}) rotate(-90)")


def _measure(chart: Chart) -> LazyMessage:
    first, *others = chart.analysis.game.player_names
    if len(others) == 1:
        return lazy_message("{player}’s win chance", player=lazy_message(first))
    return lazy_message("win chance, {player} at the bottom", player=lazy_message(first))


def _ticks(chart: Chart) -> range:
    first, last = chart.moments[0], chart.moments[-1]
    step = next((step for step in _TICKS if (last - first) / step <= _MOST_TICKS), _TICKS[-1])
    return range(-int(-first // step) * step, int(last) + 1, step)


def _draw_turning_points(root: ET.Element, chart: Chart) -> None:
    """Draw a ring at each highlight, and its number above the plot, with a line to it."""
    moves = chart.analysis.highlights
    widths = [_NUMBER_WIDTH * (len(move.ply.number) + 1) for move in moves]
    for move, at in zip(moves, spread([chart.place(move)[0] for move in moves], widths), strict=True):
        x, y = chart.place(move)
        text(root, move.ply.number, (at, TOP - 14), 13, "middle")
        add(root, "path", cls="lasts pointer", d=path([(at, TOP - 10), (x, TOP), (x, y - 6)]))
        centre = {"cx": number(x), "cy": number(y)}
        of = f"of-{chart.player_styles[move.ply.player].name}"
        add(root, "circle", cls=of, r="5.5", stroke_width="1", **centre)
        ring = add(root, "circle", cls="lasts ring", r="7", **centre)
        add(ring, "title").text = chart.translate(_told(move))


def spread(wanted: Sequence[float], widths: Sequence[float]) -> list[float]:
    """Centres of labels in a row, in order, near the wanted ones, without overlaps and within the plot."""
    places, end = [], LEFT
    for at, width in zip(wanted, widths, strict=True):
        places.append(max(at, end + width / 2))
        end = places[-1] + width / 2
    end = RIGHT
    for label in reversed(range(len(places))):
        places[label] = min(places[label], end - widths[label] / 2)
        end = places[label] - widths[label] / 2
    return places


def _draw_words(root: ET.Element, chart: Chart, listed: Sequence[Move]) -> None:
    """Write the turning points in two columns, and a line on the method."""
    half = (len(listed) + 1) // 2
    for place, move in enumerate(listed):
        column, row = divmod(place, half)
        x = LEFT + column * (RIGHT - LEFT) / 2
        y = _FOOT + row * _LINE
        stone = {"cx": number(x + 6), "cy": number(y - 5), "r": "5.5"}
        add(root, "circle", cls=f"of-{chart.player_styles[move.ply.player].name}", stroke_width="1", **stone)
        text(root, _told(move), (x + 18, y))
    text(root, _method(chart.analysis), (LEFT, _FOOT + half * _LINE + 4), 13)


def _method(analysis: Analysis) -> str:
    marked = "the costliest moves are marked" if analysis.highlights else "no turning points"
    bands = "; bands are ± 2 standard errors, and hold two in three leads"
    band = bands if analysis.game.players == 2 else ""
    return f"{limits_in_words(analysis.effort)} per position; {marked}{band}"


def _shortened(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


CLEAR = 0.55
"""The least share of playouts for a player at which characters show a point, and pictures a stone as lost."""
SETTLED = 0.9
"""The share at which a stone's point counts as settled, so that the map leaves the stone alone."""


def ownership_overlay(position: Position, found: Ownership, *, in_text: bool = False) -> Overlay:
    """Return an overlay of likely owners: shades, with a square on each stone that is likely to be lost.

    `in_text` gives the first digit of the share after the player's letter instead, for drawings in
    characters: `x8` is 80 to 90 % for Black. There a point that is nobody's yet shows nothing.
    """
    game, marks = position.game, []
    stones, letters = position.stones(), [style.letter.lower() for style in player_styles(game.player_names)]
    for name, shares in zip(game.geometry.names, found.owner.tolist(), strict=True):
        share = max(shares)
        player = shares.index(share)
        says = f"{game.player_names[player]} {percent(share)}"
        if not in_text:
            strength = (share * game.players - 1) / (game.players - 1)
            marks.append(Mark("heat", name, player, says, strength))
            if share >= CLEAR and stones.get(name, player) != player:
                marks.append(Mark("square", name, player, says))
        elif share >= CLEAR and not (stones.get(name) == player and share >= SETTLED):
            marks.append(Mark("text", name, player, f"{letters[player]}{min(9, int(10 * share))}"))
    return Overlay("ownership", "Likely owners", tuple(marks))
