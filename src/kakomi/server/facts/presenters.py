"""What is known about a game, as its page shows it: figures, openings of levels, komis, first moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from django.utils.formats import number_format
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, gettext_noop, ngettext

from kakomi import catalog
from kakomi.core import Description, Game
from kakomi.core.known_results import (
    FairKomi,
    Figure,
    LevelFigure,
    LevelOpenings,
    SolvedBoard,
    TurnFigure,
    nearest_komi,
)
from kakomi.server.facts.chart import LevelChart
from kakomi.server.facts.selectors import FirstMove
from kakomi.server.games import setup_label
from kakomi.server.language import translate, translator
from kakomi.server.puzzles.collection import all_puzzles
from kakomi.study.first_turns import OpeningMap, TurnClasses, opening_map, shaded
from kakomi.study.report.page.charts import draw_board

Unit = Literal["plain", "percent", "power"]
"""How a figure is written: as it is, as a share, as a power of ten."""


@dataclass(frozen=True)
class FactRow:
    """A figure in a table."""

    label: str
    value: SafeString
    interval: str | SafeString
    meaning: str = ""


def written(unit: Unit, value: float) -> SafeString:
    """A figure in its unit."""
    if unit == "power":
        return format_html("10<sup>{}</sup>", number(value, 0))
    if unit == "percent":
        return format_html("{} %", number(100 * value, 0))
    return SafeString(number(value, _digits(value)))


def interval(unit: Unit, one: Figure) -> str | SafeString:
    """The ends of an interval as they are read beside the value; empty without one."""
    if one.low is None or one.high is None:
        return ""
    if unit == "power":
        return format_html("{}–{}", written(unit, one.low), written(unit, one.high))
    if unit == "percent":
        return ends(100 * one.low, 100 * one.high, 0)
    return ends(one.low, one.high, _digits(one.value))


def ends(low: float, high: float, digits: int) -> str:
    """An interval by its ends."""
    return f"{number(low, digits)}–{number(high, digits)}"


def _digits(value: float) -> int:
    return 0 if value >= 100 else 1


def number(value: float, digits: int) -> str:
    """A number as the reader's language writes it. Django's own function cuts digits off."""
    return number_format(round(value, digits), digits)


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


@dataclass(frozen=True)
class FigureText:
    """What is said of a figure."""

    label: str
    meaning: str
    unit: Unit = "plain"


TEXTS = {
    "seats": FigureText(
        gettext_noop("Wins of {player}"),
        gettext_noop("How often {player} wins, who begins, among equals. It is no value under perfect play."),
        "percent",
    ),
    "lengths": FigureText(
        gettext_noop("Actions a game"),
        gettext_noop("Stones, removals, passes and all else that is played, by both."),
    ),
    "uncertainty": FigureText(
        gettext_noop("Decided after"),
        gettext_noop("The part of a game after which the winner’s chance stays above 90 %."),
        "percent",
    ),
    "leads": FigureText(
        gettext_noop("Changes of the lead"),
        gettext_noop("How often the better chance passes to the other player."),
    ),
    "branching": FigureText(
        gettext_noop("Legal actions"), gettext_noop("How many choices there are at each action.")
    ),
    "complexity": FigureText(
        gettext_noop("Size of the game tree"), gettext_noop("The choices of a game, multiplied."), "power"
    ),
}
"""By the key of a report's section."""


@dataclass(frozen=True)
class KomiRow:
    """The fair komi of a board."""

    board: str
    value: str
    interval: str
    named: int
    """What bots name."""


@dataclass(frozen=True)
class FirstMoveRow:
    """A first move of the site's games."""

    move: FirstMove
    first_player: str

    @property
    def wins(self) -> str:
        """How often the first player won after it; empty where no game has a result."""
        won = self.move.first_wins
        if won is None:
            return ""
        said = gettext("{player} wins {share} ({interval})")
        share, ends = written("percent", won.value), interval("percent", won)
        return said.format(player=self.first_player, share=share, interval=ends)


@dataclass(frozen=True)
class FactsPresenter:
    """A game, and all that is known about it."""

    description: Description
    site_moves: Sequence[FirstMove]
    """First moves of games on this site."""

    @property
    def title(self) -> str:
        return translate(self.description.title)

    @property
    def first_player(self) -> str:
        """Who begins."""
        return translate(self.description.player_names[0])

    @property
    def first_moves(self) -> list[FirstMoveRow]:
        """How games on this site began, and what became of them."""
        return [FirstMoveRow(move, self.first_player) for move in self.site_moves]

    @cached_property
    def rows(self) -> list[FactRow]:
        """The figures of the report, in their order."""
        report = self.description.report
        return [self._row(key, one) for key, one in report.figures.items() if key in TEXTS] if report else []

    @property
    def source(self) -> str:
        """Where the figures come from."""
        report = self.description.report
        if report is None:
            return ""
        said = ngettext(
            "From {games} game of level {level} with itself: {board}.",
            "From {games} games of level {level} with itself: {board}.",
            report.games,
        )
        board = self._board(report.options)
        return said.format(games=number_format(report.games), level=report.level, board=board)

    @cached_property
    def first_seat(self) -> "LevelFigures | None":
        """What being first is worth, by the strength of the players."""
        report = self.description.report
        if report is None or len(report.first_seat) < 2:
            return None
        label = gettext("How often {player} wins, by the level of both; the table has the figures.")
        chart = LevelChart(label.format(player=self.first_player), report.first_seat, even=0.5)
        return LevelFigures(chart)

    @cached_property
    def blunders(self) -> "LevelFigures | None":
        """How often levels throw away an exact result."""
        found = self.description.blunders
        if found is None or not found.levels:
            return None
        label = gettext("How often each level throws a proven result away; the table has the figures.")
        return LevelFigures(LevelChart(label, found.levels))

    @property
    def blunder_source(self) -> str:
        """Where these figures come from."""
        found = self.description.blunders
        if found is None:
            return ""
        said = ngettext(
            "{board}: {count} position near the end of {games} games where one action wins or draws and "
            "another doesn’t. The solver knows which; all levels were asked.",
            "{board}: {count} positions near the ends of {games} games where one action wins or draws and "
            "another doesn’t. The solver knows which; all levels were asked.",
            found.critical,
        )
        count, games = number_format(found.critical), number_format(found.games)
        return said.format(board=self._board(found.options), count=count, games=games)

    @cached_property
    def openings(self) -> list[OpeningPresenter]:
        """How levels begin."""
        found = self.description.openings
        if found is None:
            return []
        game = catalog.game(self.description.name, **found.options)
        return [OpeningPresenter(game, one) for one in found.levels]

    @cached_property
    def solved(self) -> list[tuple[str, str]]:
        """Solved boards, each with its result in words."""
        return [(self._board(one.options), self._result(one)) for one in self.description.solved]

    @cached_property
    def komis(self) -> "list[KomiRow]":
        """The fair komi of each board, with the one that bots name."""
        return [self._komi(one) for one in self.description.fair_komis.curve]

    @property
    def puzzles(self) -> int:
        """How many puzzles there are."""
        return sum(puzzle.game == self.description.name for puzzle in all_puzzles().values())

    def _row(self, key: str, one: Figure) -> FactRow:
        text = TEXTS[key]
        label, meaning = (
            gettext(said).format(player=self.first_player) for said in (text.label, text.meaning)
        )
        return FactRow(label, written(text.unit, one.value), interval(text.unit, one), meaning)

    def _board(self, options: Mapping[str, int]) -> str:
        return setup_label(catalog.game(self.description.name, **options))

    def _result(self, board: SolvedBoard) -> str:
        game = catalog.game(self.description.name, **board.options)
        names = [translate(name) for name in game.player_names]
        if game.players > 2:
            said = gettext("{player}, alone against all others: {margin}")
            return said.format(player=names[board.seat], margin=f"{board.margin:+d}".replace("-", "−"))
        if not board.margin:
            return gettext("a draw")
        winner = names[board.seat if board.margin > 0 else 1 - board.seat]
        margin = abs(board.margin)
        said = ngettext("{player} wins by {margin} point", "{player} wins by {margin} points", margin)
        return said.format(player=winner, margin=margin)

    def _komi(self, one: FairKomi) -> "KomiRow":
        allowed = sorted(self.description.komi.allowed_given(one.options))
        named = nearest_komi(one.fair, allowed)
        return KomiRow(self._board(one.options), number(one.fair, 1), ends(one.low, one.high, 1), named)


@dataclass(frozen=True)
class LevelFigures:
    """Figures of levels, as a chart and as a table."""

    chart: LevelChart

    @property
    def drawn(self) -> SafeString:
        return self.chart.draw([self._short(one) for one in self.chart.figures])

    @property
    def rows(self) -> list[FactRow]:
        """One for each level."""
        return [
            FactRow(self._name(one), written("percent", one.value), interval("percent", one))
            for one in self.chart.figures
        ]

    def _name(self, one: LevelFigure) -> str:
        return gettext("Level {level}").format(level=one.level) if one.level else gettext("Random play")

    def _short(self, one: LevelFigure) -> str:
        return str(one.level) if one.level else gettext("random")
