"""GTP's syntax: parsing commands, formatting responses, and the names of points and colours."""

import re
from dataclasses import dataclass
from functools import cached_property

from kakomi.core import Game

_MOST_DIGITS = 10
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_EMPTY_LINES = re.compile(r"\n(\s*\n)+")


class GtpError(Exception):
    """A command failed; the controller gets the message."""


@dataclass(frozen=True)
class Command:
    """One command; `number` is the id that the controller gave it, or empty."""

    number: str
    name: str
    arguments: tuple[str, ...]


def read_command(line: bytes) -> Command | None:
    """Parse a line as a command; None if it holds only space and comments (GTP 2, section 3.1)."""
    text = _CONTROL.sub("", line.decode(errors="replace")).partition("#")[0]
    words = text.replace("\t", " ").split(" ")
    words = [word for word in words if word]
    if not words:
        return None
    is_numbered = words[0].isascii() and words[0].isdigit() and len(words[0]) <= _MOST_DIGITS
    number = words.pop(0) if is_numbered else ""
    name, *arguments = words or [""]
    return Command(number, name, tuple(arguments))


def success(number: str, text: str = "") -> bytes:
    """Return the response to a command that succeeded."""
    return _response("=", number, text)


def failure(number: str, text: str) -> bytes:
    """Return the response to a command that failed."""
    return _response("?", number, text)


def _response(sign: str, number: str, text: str) -> bytes:
    """Format a response. An empty line ends it, so empty lines within `text` are removed."""
    text = _EMPTY_LINES.sub("\n", text).rstrip("\n")
    return f"{sign}{number} {text}\n\n".encode()


LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The letters of columns; there is no I."""
COLOURS = ("black", "white")
PASS = "pass"


class Vertices:
    """The points of a square board as GTP names them: letters to the right, numbers upwards from 1.

    GTP can describe a game if its board is square and at most 25×25, it has two players, and every action is
    a stone or a pass (`unsupported_reason`).
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    @staticmethod
    def unsupported_reason(game: Game) -> str | None:
        """Return why GTP can't describe a game, or None if it can."""
        if game.geometry.kind != "square":
            return "its board isn't square"
        if game.geometry.size > len(LETTERS):
            return f"its board is larger than {len(LETTERS)}×{len(LETTERS)}"
        if game.players != 2:
            return f"{game.players} play it"
        if any(action.kind not in ("place", PASS) for action in game.actions):
            return "it has actions that are neither a stone nor a pass"
        return None

    def action(self, vertex: str) -> int:
        """Return the number of the action on a vertex. Raises GtpError."""
        if vertex.lower() == PASS and PASS not in self._actions:
            raise GtpError(f"illegal move: {self._game.description.title} has no pass")
        try:
            return self._actions[vertex.lower()]
        except KeyError:
            size = self._game.geometry.size
            raise GtpError(f"syntax error: vertices are A1 to {LETTERS[size - 1]}{size}") from None

    def vertex(self, action: int) -> str:
        """The vertex of an action."""
        return self._names[action]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The letters in use."""
        return tuple(LETTERS[: self._game.geometry.size])

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The numbers in use, from the top."""
        return tuple(str(number) for number in range(self._game.geometry.size, 0, -1))

    @cached_property
    def points(self) -> dict[str, str]:
        """The vertices by point."""
        geometry = self._game.geometry
        return {
            name: f"{LETTERS[round(x)]}{geometry.size - round(y)}"
            for name, (x, y) in zip(geometry.names, geometry.places, strict=True)
        }

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(self.points[action.point] if action.point else PASS for action in self._game.actions)

    @cached_property
    def _actions(self) -> dict[str, int]:
        return {name.lower(): action for action, name in enumerate(self._names)}


def player(colour: str) -> int:
    """Return the player with a colour. Raises GtpError."""
    for number, name in enumerate(COLOURS):
        if colour.lower() in (name, name[0]):
            return number
    raise GtpError("syntax error: a colour is B, W, black or white")
