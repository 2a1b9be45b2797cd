"""Slow reference implementations of all five games, written only from the rules documents.

They share no code with the `kakomi` package, so that either can be tested against the other.
"""

from .common import Position
from .lin import Lin
from .ren import Ren
from .rin import Rin
from .rings import Rings
from .rive import Rive

GAMES: dict[str, type[Position]] = {"rin": Rin, "rive": Rive, "lin": Lin, "ren": Ren, "rings": Rings}


def make(name: str, **options) -> Position:
    """The start position of a game."""
    return GAMES[name](**options)
