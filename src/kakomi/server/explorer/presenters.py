"""Presents the facts about a game: figures, openings by level, komis, first moves."""

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
from kakomi.draw.board_map import draw_board
from kakomi.openings import OpeningMap, TurnClasses, opening_map, shaded
from kakomi.server.explorer.known_results import FirstMove, LevelChart
from kakomi.server.puzzles.collection import all_puzzles
from kakomi.server.site.games import setup_label
from kakomi.server.site.language import translate, translator

Unit = Literal["plain", "percent", "power"]
"""The notation of a figure: plain, as a percentage, or as a power of ten."""


@dataclass(frozen=True)
class FactRow:
    """A figure in a table."""

    label: str
    value: SafeString
    interval: str | SafeString
    meaning: str = ""


def format_value(unit: Unit, value: float) -> SafeString:
    """Format a figure in its unit."""
    if unit == "power":
        return format_html("10<sup>{}</sup>", number(value, 0))
    if unit == "percent":
        return format_html("{} %", number(100 * value, 0))
    return SafeString(number(value, _digits(value)))


def format_interval(unit: Unit, one: Figure) -> str | SafeString:
    """Format a figure's interval; empty if it has none."""
    if one.low is None or one.high is None:
        return ""
    if unit == "power":
        return format_html("{}–{}", format_value(unit, one.low), format_value(unit, one.high))
    if unit == "percent":
        return format_range(100 * one.low, 100 * one.high, 0)
    return format_range(one.low, one.high, _digits(one.value))


def format_range(low: float, high: float, digits: int) -> str:
    """Format an interval from its ends."""
    return f"{number(low, digits)}–{number(high, digits)}"


def _digits(value: float) -> int:
    return 0 if value >= 100 else 1


def number(value: float, digits: int) -> str:
    """Format a number in the active language. It is rounded first, as Django's function truncates."""
    return number_format(round(value, digits), digits)


MOST = 8
"""The number of first turns listed."""


@dataclass(frozen=True)
class OpeningPresenter:
    """Presents the first turns of a level."""

    game: Game
    found: LevelOpenings

    @property
    def level(self) -> int:
        """The level."""
        return self.found.level

    @property
    def title(self) -> str:
        """The title of the map."""
        return gettext("How level {level} opens").format(level=self.level)

    @property
    def source(self) -> str:
        """The origin of the figures."""
        said = ngettext(
            "{board}: level {level} chose a first move {count} time, each time from scratch. Moves that are "
            "the same by symmetry count as one: it chose {chosen} of {classes}.",
            "{board}: level {level} chose a first move {count} times, each time from scratch. Moves that are "
            "the same by symmetry count as one: it chose {chosen} of {classes}.",
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
        """The first moves that are significantly more frequent than in a uniform choice."""
        more = [one.turn for one in self.found.turns if one.differs > 0]
        if not more:
            return gettext("No move is chosen more often than chance would explain.")
        return gettext("Chosen more often than chance would explain: {moves}.").format(moves=" · ".join(more))

    @property
    def legend(self) -> str:
        """How to read the map."""
        said = gettext(
            "The stronger the colour, the more often the bot starts there. Points that are the same by "
            "symmetry share their total. The strongest colour is {percent} %. A common "
            "move isn’t always a good one."
        )
        return said.format(percent=number(100 * self._map.most, 1))

    @property
    def drawn(self) -> SafeString:
        """The board with the map."""
        return _drawn(self.game, self.found, self.title, self.legend, get_language())

    @property
    def rows(self) -> list[FactRow]:
        """The most frequent first turns."""
        return [
            FactRow(one.turn, format_value("percent", one.value), format_interval("percent", one))
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
    """Draw the map in the active language, which is a parameter only as a cache key."""
    del language
    said = gettext("{place}: first move {percent} % of the time")
    board = shaded(_map_of(game, tuple(found.turns)), title, about, said)
    scene, key = game.start().scene(), f"map-{found.level}"
    drawn = draw_board(scene, board, key, styled=False, translate=translator())
    return mark_safe(drawn)


@dataclass(frozen=True)
class FigureText:
    """The label and explanation of a figure."""

    label: str
    meaning: str
    unit: Unit = "plain"


TEXTS = {
    "seats": FigureText(
        gettext_noop("Wins of {player}"),
        gettext_noop(
            "How often {player} wins when both players are equally strong. {player} goes first. With perfect "
            "play the result may differ."
        ),
        "percent",
    ),
    "lengths": FigureText(
        gettext_noop("Actions per game"),
        gettext_noop("Stones, removals, passes and other actions, by both players."),
    ),
    "uncertainty": FigureText(
        gettext_noop("Decided after"),
        gettext_noop("How far into the game the winner’s chance goes above 90 % for good."),
        "percent",
    ),
    "leads": FigureText(
        gettext_noop("Lead changes"),
        gettext_noop("How often the lead changes hands."),
    ),
    "branching": FigureText(
        gettext_noop("Legal actions"), gettext_noop("How many actions a player can choose from.")
    ),
    "complexity": FigureText(
        gettext_noop("Game-tree size"),
        gettext_noop("The choices at every step of a game, multiplied."),
        "power",
    ),
}
"""The texts by the key of the report's section."""


@dataclass(frozen=True)
class KomiRow:
    """The fair komi of a board."""

    board: str
    value: str
    interval: str
    named: int
    """The komi that bots name."""


@dataclass(frozen=True)
class FirstMoveRow:
    """Presents a first move of the site's games."""

    move: FirstMove
    first_player: str

    @property
    def wins(self) -> str:
        """The first player's share of the win after it, in words; empty if no game has a result."""
        won = self.move.first_wins
        if won is None:
            return ""
        said = gettext("{player} wins {share} ({interval})")
        share, ends = format_value("percent", won.value), format_interval("percent", won)
        return said.format(player=self.first_player, share=share, interval=ends)


@dataclass(frozen=True)
class FactsPresenter:
    """Presents a game and all facts about it."""

    description: Description
    site_moves: Sequence[FirstMove]
    """The first moves of games on this site."""

    @property
    def title(self) -> str:
        return translate(self.description.title)

    @property
    def first_player(self) -> str:
        """The name of the player who begins."""
        return translate(self.description.player_names[0])

    @property
    def first_moves(self) -> list[FirstMoveRow]:
        """The first moves of games on this site, with results."""
        return [FirstMoveRow(move, self.first_player) for move in self.site_moves]

    @cached_property
    def rows(self) -> list[FactRow]:
        """The figures of the report, in its order."""
        report = self.description.report
        return [self._row(key, one) for key, one in report.figures.items() if key in TEXTS] if report else []

    @property
    def source(self) -> str:
        """The origin of the figures."""
        report = self.description.report
        if report is None:
            return ""
        said = ngettext(
            "From {games} game of level {level} against itself: {board}.",
            "From {games} games of level {level} against itself: {board}.",
            report.games,
        )
        board = self._board(report.options)
        return said.format(games=number_format(report.games), level=report.level, board=board)

    @cached_property
    def first_seat(self) -> "LevelFigures | None":
        """How often the first player wins, by level; None with fewer than two levels."""
        report = self.description.report
        if report is None or len(report.first_seat) < 2:
            return None
        label = gettext("How often {player} wins, by level of both players. The table has the numbers.")
        chart = LevelChart(label.format(player=self.first_player), report.first_seat, even=0.5)
        return LevelFigures(chart)

    @cached_property
    def blunders(self) -> "LevelFigures | None":
        """How often each level gives away a proven result; None if this wasn't measured."""
        found = self.description.blunders
        if found is None or not found.levels:
            return None
        label = gettext("How often each level throws away a proven result. The table has the numbers.")
        return LevelFigures(LevelChart(label, found.levels))

    @property
    def blunder_source(self) -> str:
        """The origin of the blunder figures."""
        found = self.description.blunders
        if found is None:
            return ""
        said = ngettext(
            "{board}: {count} position near the end of {games} games where one move keeps a win or draw and "
            "another throws it away. Each level had to choose a move; the solver knows the right ones.",
            "{board}: {count} positions near the end of {games} games where one move keeps a win or draw and "
            "another throws it away. Each level had to choose a move; the solver knows the right ones.",
            found.critical,
        )
        count, games = number_format(found.critical), number_format(found.games)
        return said.format(board=self._board(found.options), count=count, games=games)

    @cached_property
    def openings(self) -> list[OpeningPresenter]:
        """The openings by level."""
        found = self.description.openings
        if found is None:
            return []
        game = catalog.game(self.description.name, **found.options)
        return [OpeningPresenter(game, one) for one in found.levels]

    @cached_property
    def solved(self) -> list[tuple[str, str]]:
        """The solved boards, as (board, result)."""
        return [(self._board(one.options), self._result(one)) for one in self.description.solved]

    @cached_property
    def komis(self) -> "list[KomiRow]":
        """The fair komi of each board, with the komi that bots name."""
        return [self._komi(one) for one in self.description.fair_komis.curve]

    @property
    def puzzles(self) -> int:
        """The number of puzzles."""
        return sum(puzzle.game == self.description.name for puzzle in all_puzzles().values())

    def _row(self, key: str, one: Figure) -> FactRow:
        text = TEXTS[key]
        label, meaning = (
            gettext(said).format(player=self.first_player) for said in (text.label, text.meaning)
        )
        return FactRow(label, format_value(text.unit, one.value), format_interval(text.unit, one), meaning)

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
        return KomiRow(
            self._board(one.options), number(one.fair, 1), format_range(one.low, one.high, 1), named
        )


@dataclass(frozen=True)
class LevelFigures:
    """Figures by level, as a chart and a table."""

    chart: LevelChart

    @property
    def drawn(self) -> SafeString:
        return self.chart.draw([self._short(one) for one in self.chart.figures])

    @property
    def rows(self) -> list[FactRow]:
        """The table rows, one for each level."""
        return [
            FactRow(self._name(one), format_value("percent", one.value), format_interval("percent", one))
            for one in self.chart.figures
        ]

    def _name(self, one: LevelFigure) -> str:
        return gettext("Level {level}").format(level=one.level) if one.level else gettext("Random play")

    def _short(self, one: LevelFigure) -> str:
        return str(one.level) if one.level else gettext("random")
