"""The layout of a picture of win chances, and its elements."""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from kakomi.boards import Place
from kakomi.draw.board_template import add
from kakomi.draw.player_style import PlayerStyle, player_styles
from kakomi.draw.shapes import number
from kakomi.study.analysis.analysis import Analysis
from kakomi.study.analysis.move import Move

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
