"""What engines answer (docs/protocol.md): they write it, and clients read it."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from kakomi.core import Description, Game, Option, Position
from kakomi.core.option import resolve
from kakomi.search import Line, Report
from kakomi.search.report import chance_of


def described(description: Description) -> dict[str, Any]:
    """A game and what may be chosen of it; what depends on other options is told for their defaults."""
    defaults = resolve(description.name, description.options, {})
    return {
        "name": description.name,
        "title": description.title,
        "author": description.author,
        "year": description.year,
        "summary": description.summary,
        "options": [_option(option, defaults) for option in description.options],
        "komi_option": description.komi_option or None,
    }


def stand(position: Position) -> dict[str, Any]:
    """How a game stands."""
    game = position.game
    return {
        "ply": position.ply,
        "to_move": None if position.is_over else position.to_move,
        "turn": texts(game, position.turn),
        "is_over": position.is_over,
        "scores": position.scores(),
        "returns": position.returns() if position.is_over else None,
    }


def board(game: Game) -> dict[str, Any]:
    """A game with its options chosen."""
    return {
        "game": game.name,
        "options": dict(game.options),
        "players": list(game.player_names),
        "points": list(game.geometry.names),
    }


def texts(game: Game, actions: Iterable[int]) -> list[str]:
    """Actions as they are spelled."""
    return [game.action_texts[action] for action in actions]


def _option(option: Option, defaults: dict[str, int]) -> dict[str, Any]:
    allowed: Sequence[int] = option.allowed_given(defaults)
    return {
        "name": option.name,
        "help": option.help,
        "default": defaults[option.name],
        "allowed": list(allowed),
        "presets": list(option.presets),
    }


DIGITS = 4
"""Of returns, chances and seconds."""


class LineReport(msgspec.Struct, frozen=True):
    """An action, and what comes of it."""

    action: str
    visits: int
    returns: tuple[float, ...]
    """Each player's mean return, from -1 to 1."""
    chances: tuple[float, ...]
    wins: bool
    """Whether that is proven, for the player to act."""
    loses: bool
    principal: tuple[str, ...]
    """The line of play that begins with the action."""

    @staticmethod
    def of(game: Game, line: Line) -> "LineReport":
        """A line that a search found."""
        return LineReport(
            action=game.action_texts[line.action],
            visits=line.visits,
            returns=_rounded(line.values),
            chances=chances_of(line.values),
            wins=line.wins,
            loses=line.loses,
            principal=_texts(game, line.principal),
        )


class AnalysisReport(msgspec.Struct, frozen=True):
    """What a search has found of a position, on its way or at its end."""

    action: str
    to_move: int
    simulations: int
    seconds: float
    returns: tuple[float, ...]
    """Each player's mean return, from -1 to 1."""
    chances: tuple[float, ...]
    """Each player's expected share of the win, the sum 1; for two the chance to win, a draw counting half."""
    is_proven: bool
    is_full: bool
    """Whether the memory limit kept the search from growing."""
    principal: tuple[str, ...]
    lines: tuple[LineReport, ...]
    """The best first."""

    @staticmethod
    def of(position: Position, report: Report, most: int) -> "AnalysisReport":
        """What a search found, with its best lines, `most` of them."""
        game = position.game
        return AnalysisReport(
            action=game.action_texts[report.action],
            to_move=position.to_move,
            simulations=report.simulations,
            seconds=round(report.seconds, DIGITS),
            returns=_rounded(report.values),
            chances=chances_of(report.values),
            is_proven=report.is_proven,
            is_full=report.is_full,
            principal=_texts(game, report.principal),
            lines=tuple(LineReport.of(game, line) for line in report.lines[:most]),
        )

    def read(self, game: Game) -> Report:
        """The same as a search of this process would tell it, but for the digits that are left out.

        `plies` is 0: an engine does not tell it. Raises IllegalAction for an action that the game has not.
        """
        return Report(
            action=game.action(self.action),
            simulations=self.simulations,
            plies=0,
            seconds=self.seconds,
            values=self.returns,
            lines=tuple(self._read_line(game, line) for line in self.lines),
            principal=_actions(game, self.principal),
            is_full=self.is_full,
            is_proven=self.is_proven,
        )

    def _read_line(self, game: Game, line: LineReport) -> Line:
        return Line(
            action=game.action(line.action),
            visits=line.visits,
            value=line.returns[self.to_move],
            values=line.returns,
            wins=line.wins,
            loses=line.loses,
            principal=_actions(game, line.principal),
        )


class ProgressReport(msgspec.Struct, frozen=True):
    """How far a bot has come with a decision."""

    progress: float
    """The part of its time that is used up, from 0 to 1."""
    to_move: int
    """The player it thinks for."""
    chances: tuple[float, ...]
    principal: tuple[str, ...]
    """The best line of play so far. The bot may yet choose another action, or, if it is a weak one, will."""

    @staticmethod
    def of(position: Position, part: float, report: Report) -> "ProgressReport":
        """What a search found when so much of its time was used up."""
        return ProgressReport(
            progress=round(part, DIGITS),
            to_move=position.to_move,
            chances=chances_of(report.values),
            principal=_texts(position.game, report.principal),
        )


def as_data(report: AnalysisReport | ProgressReport) -> dict[str, Any]:
    """A report as data that JSON can hold."""
    data: dict[str, Any] = msgspec.to_builtins(report)
    return data


def chance(value: float, players: int) -> float:
    """A mean return as the share of the win that it stands for, with the protocol's digits."""
    return round(chance_of(value, players), DIGITS)


def chances_of(values: tuple[float, ...]) -> tuple[float, ...]:
    """The same for each player's mean return."""
    return tuple(chance(value, len(values)) for value in values)


def _rounded(values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(value, DIGITS) for value in values)


def _texts(game: Game, actions: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(game.action_texts[action] for action in actions)


def _actions(game: Game, texts: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(game.action(text) for text in texts)
