"""What a search found of a position, as pages show it: chances, lines of play, badges on the board."""

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from django.template.loader import render_to_string
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from kakomi.core import Position
from kakomi.core.returns import percent
from kakomi.draw import Hint
from kakomi.draw.player_style import player_styles
from kakomi.search import Line, Report
from kakomi.server.boardview.presenters import draw_badges
from kakomi.server.language import translate

MOST_SHOWN = 12
"""Actions of a line: further on a search has hardly looked."""


@dataclass(frozen=True)
class Share:
    """A player's share of the bar."""

    name: str
    style: str
    x: str
    width: str
    percent: str


@dataclass(frozen=True)
class LineView:
    """A line of play."""

    percent: str
    """The chance of the player to act."""
    verdict: str
    """What is proven."""
    visits: str
    principal: tuple[str, ...]


@dataclass(frozen=True)
class AnalysisView:
    """An analysis of a position, for the template."""

    position: Position
    analysis: Report

    @property
    def parts(self) -> list[Share]:
        names = self.position.game.player_names
        chances = self.analysis.chances
        starts = (0.0, *accumulate(chances))
        return [
            Share(translate(name), style.name, f"{100 * start:.2f}", f"{100 * chance:.2f}", percent(chance))
            for name, style, start, chance in zip(names, player_styles(names), starts, chances, strict=False)
        ]

    @property
    def chances_words(self) -> str:
        return ", ".join(f"{part.name} {part.percent}" for part in self.parts)

    @property
    def lines(self) -> list[LineView]:
        mover, texts = self.analysis.to_move, self.position.game.action_texts
        return [
            LineView(
                percent(line.chances[mover]),
                _verdict(line),
                _visits(line),
                tuple(texts[action] for action in line.principal[:MOST_SHOWN]),
            )
            for line in self.analysis.lines
        ]

    @property
    def badges(self) -> tuple[Hint, ...]:
        """One for each line on the board; of two on the same place the better one."""
        game, mover = self.position.game, self.analysis.to_move
        found: dict[str, Hint] = {}
        for rank, line in enumerate(self.analysis.lines):
            target = game.actions[line.action].target
            if target and target not in found:
                found[target] = Hint(target, percent(line.chances[mover]), rank)
        return tuple(found.values())

    def drawn(self, turned: int) -> str:
        """The badges as elements of the page's board."""
        return draw_badges(self.position, self.badges, turned)

    def as_data(self, turned: int, can_play: bool) -> dict[str, Any]:
        """As the page's script takes it."""
        analysis = self.analysis
        said = ngettext(
            "{count} simulation, {seconds} s", "{count} simulations, {seconds} s", analysis.simulations
        )
        state = said.format(
            count=number_format(analysis.simulations, force_grouping=True), seconds=f"{analysis.seconds:.0f}"
        )
        if analysis.is_proven:
            state = gettext("Solved: {state}").format(state=state)
        return {
            "lines": render_to_string("analysis/_lines.html", {"analysis": self, "can_play": can_play}),
            "hints": self.drawn(turned),
            "state": state,
        }


def _visits(line: Line) -> str:
    said = ngettext("{count} visit", "{count} visits", line.visits)
    return said.format(count=number_format(line.visits, force_grouping=True))


def _verdict(line: Line) -> str:
    if line.wins:
        return gettext("wins")
    return gettext("loses") if line.loses else ""
