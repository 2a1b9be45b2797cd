"""The slow reference of all five games, written from the documents alone.

It shares nothing with the `kakomi` package, so that either can be tested against the other.
"""

from .common import Position
from .lin import Lin
from .ren import Ren
from .rin import Rin
from .rings import Rings
from .rive import Rive

GAMES: dict[str, type[Position]] = {"rin": Rin, "rive": Rive, "lin": Lin, "ren": Ren, "rings": Rings}


def make(name: str, **options) -> Position:
    """The game's beginning."""
    return GAMES[name](**options)
