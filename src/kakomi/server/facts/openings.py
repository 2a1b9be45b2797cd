"""How a level begins, as the page of a game shows it: a map, and the first turns that come most often."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.formats import number_format
from django.utils.functional import cached_property
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext

from kakomi.core import Game
from kakomi.core.known_results import LevelOpenings, TurnFigure
from kakomi.server.facts.rows import FactRow, interval, number, written
from kakomi.server.labels import setup_label
from kakomi.server.language import translator
from kakomi.study.first_turns import OpeningMap, TurnClasses, opening_map, shaded
from kakomi.study.report.page.charts import draw_board

MOST = 8
"""First turns that are listed."""


@dataclass(frozen=True)
class OpeningPresenter:
    """The first turns of a level."""

    game: Game
    found: LevelOpenings

    @property
    def level(self) -> int:
        """The level."""
        return self.found.level

    @property
    def title(self) -> str:
        """What the map shows."""
        return gettext("Where level {level} begins").format(level=self.level)

    @property
    def source(self) -> str:
        """Where the figures come from."""
        said = ngettext(
            "{board}: level {level} was asked {count} time for its first move, without memory of the other "
            "times. First moves that a rotation or reflection of the board makes alike are one: it chose "
            "{chosen} of {classes}.",
            "{board}: level {level} was asked {count} times for its first move, without memory of the other "
            "times. First moves that a rotation or reflection of the board makes alike are one: it chose "
            "{chosen} of {classes}.",
            self.found.searches,
        )
        return said.format(
            board=setup_label(self.game),
            level=self.level,
            count=number_format(self.found.searches),
            chosen=number_format(len(self.found.turns)),
            classes=number_format(self.found.classes),
        )

    @property
    def finding(self) -> str:
        """Which first moves come more often than an even choice would have them."""
        more = [one.turn for one in self.found.turns if one.differs > 0]
        if not more:
            return gettext("None of them comes more often than chance explains.")
        return gettext("More often than chance explains: {moves}.").format(moves=" · ".join(more))

    @property
    def legend(self) -> str:
        """How to read the map."""
        said = gettext(
            "The stronger the tint, the more often the first move goes there; places that are alike share "
            "what came to them. The strongest stands for {percent} %. How often a move comes doesn’t say how "
            "good it is."
        )
        return said.format(percent=number(100 * self._map.most, 1))

    @property
    def drawn(self) -> SafeString:
        """The board with the map."""
        return _drawn(self.game, self.found, self.title, self.legend, get_language())

    @property
    def rows(self) -> list[FactRow]:
        """The first turns that come most often."""
        return [
            FactRow(one.turn, written("percent", one.value), interval("percent", one))
            for one in self.found.turns[:MOST]
        ]

    @cached_property
    def _map(self) -> OpeningMap:
        return _map_of(self.game, tuple(self.found.turns))


@lru_cache(maxsize=32)
def _map_of(game: Game, turns: Sequence[TurnFigure]) -> OpeningMap:
    parts = ((tuple(map(game.action, one.turn.split())), one.value) for one in turns)
    return opening_map(TurnClasses(game), parts)


@lru_cache(maxsize=64)
def _drawn(game: Game, found: LevelOpenings, title: str, about: str, language: str | None) -> SafeString:
    """The drawing in the language that is spoken now."""
    del language
    said = gettext("{place}: the first move of {percent} % of the times")
    board = shaded(_map_of(game, tuple(found.turns)), title, about, said)
    drawn = draw_board(game, board, f"map-{found.level}", styled=False, translate=translator())
    return mark_safe(drawn)
