"""What a search found: the same from the search to whoever shows it, and the only form of it as JSON."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from kakomi.core import Game, Position
from kakomi.core.returns import chances_of

DIGITS = 4
"""Of returns, chances and seconds in JSON."""


class Line(msgspec.Struct, frozen=True):
    """One action at the root: how often it was tried and what it promises."""

    action: int
    visits: int
    returns: tuple[float, ...]
    """Each player's mean return, from -1 to 1."""
    wins: bool = False
    """Whether it is proven to win the game for the player to act."""
    loses: bool = False
    """Whether it is proven to lose the game."""
    principal: tuple[int, ...] = ()
    """The action and the best ones after it; of the best lines alone, else just the action."""

    @property
    def chances(self) -> tuple[float, ...]:
        """Each player's expected share of the win, from 0 to 1, the sum 1."""
        return chances_of(self.returns)


class Report(msgspec.Struct, frozen=True):
    """The result of a search so far; without lines it is that of a finished game."""

    to_move: int
    simulations: int
    """Simulations made by this call."""
    seconds: float
    returns: tuple[float, ...]
    """Each player's mean return, from -1 to 1, over all simulations in the tree."""
    lines: tuple[Line, ...]
    """The actions that were tried or are known to win, best first: one that is known to win, then by visits,
    between equals by value."""
    is_proven: bool = False
    """Whether the result under best play is known; `returns` are then those of the result."""
    is_full: bool = False
    """Whether the memory limit kept the tree from growing."""
    plies: int = 0
    """Plies played by this call, in the tree and in playouts; JSON leaves them out."""

    @property
    def action(self) -> int:
        """The best action."""
        return self.lines[0].action

    @property
    def principal(self) -> tuple[int, ...]:
        """The line of best actions from here on."""
        return self.lines[0].principal if self.lines else ()

    @property
    def chances(self) -> tuple[float, ...]:
        """Each player's expected share of the win, from 0 to 1, the sum 1; for two the chance to win, a
        draw counting half."""
        return chances_of(self.returns)

    @property
    def is_exact(self) -> bool:
        """Whether no noise is in the chances: the rules give them, or a proof that somebody wins."""
        return not self.lines or (self.is_proven and max(self.returns) == 1)

    @property
    def samples(self) -> int:
        """How many simulations the chances are the mean of; 0: they are exact."""
        return 0 if self.is_exact else self.simulations

    @staticmethod
    def of_result(position: Position) -> "Report":
        """What there is to say of a finished game. Raises ValueError while it goes on."""
        returns = tuple(map(float, position.returns()))
        return Report(position.to_move, 0, 0.0, returns, (), is_proven=True)

    def part_of(self, simulations: int | None, seconds: float | None) -> float:
        """How much of such limits is used up, from 0 to 1."""
        parts = (
            self.simulations / simulations if simulations else 0.0,
            self.seconds / seconds if seconds else 0.0,
        )
        return min(1.0, max(parts))

    def to_json(self, game: Game, most: int | None = None) -> dict[str, Any]:
        """As data that JSON can hold (docs/protocol.md), with the best `most` lines: actions as texts,
        rounded to `DIGITS`, and besides what follows from the rest."""
        return {
            "action": game.action_texts[self.action],
            "to_move": self.to_move,
            "simulations": self.simulations,
            "seconds": round(self.seconds, DIGITS),
            "returns": _rounded(self.returns),
            "chances": _rounded(self.chances),
            "is_proven": self.is_proven,
            "is_full": self.is_full,
            "principal": _texts(game, self.principal),
            "lines": [_line_to_json(game, line) for line in self.lines[:most]],
        }

    def progress_to_json(self, game: Game, part: float) -> dict[str, Any]:
        """As a bot tells of it when so much of its time is used up, from 0 to 1. The bot may yet choose
        another action, or, if it is a weak one, will."""
        return {
            "progress": round(part, DIGITS),
            "to_move": self.to_move,
            "chances": _rounded(self.chances),
            "principal": _texts(game, self.principal),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any], game: Game) -> "Report":
        """What `to_json` wrote, but for plies, lines and digits that it left out.

        Raises IllegalAction for an action that the game has not, msgspec.ValidationError or KeyError for
        other data.
        """
        return msgspec.convert({**data, "lines": [_numbered(game, line) for line in data["lines"]]}, Report)


def _line_to_json(game: Game, line: Line) -> dict[str, Any]:
    return {
        "action": game.action_texts[line.action],
        "visits": line.visits,
        "returns": _rounded(line.returns),
        "chances": _rounded(line.chances),
        "wins": line.wins,
        "loses": line.loses,
        "principal": _texts(game, line.principal),
    }


def _numbered(game: Game, line: Mapping[str, Any]) -> dict[str, Any]:
    principal = [game.action(text) for text in line["principal"]]
    return {**line, "action": game.action(line["action"]), "principal": principal}


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(value, DIGITS) for value in values]


def _texts(game: Game, actions: Iterable[int]) -> list[str]:
    return [game.action_texts[action] for action in actions]
