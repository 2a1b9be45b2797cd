"""Kakomi: five abstract strategy games to play, study and train on.

>>> import kakomi
>>> position = kakomi.game("rin", size=8).start().play("3,4")
>>> position.stones(), position.to_move
({'3,4': 0}, 1)
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kakomi.catalog import game, names
    from kakomi.core import Game, IllegalAction, Position

__all__ = ["Game", "IllegalAction", "Position", "__version__", "game", "names"]
__version__ = "0.4.0.dev0"

_HOMES = {
    "game": "kakomi.catalog",
    "names": "kakomi.catalog",
    "Game": "kakomi.core",
    "IllegalAction": "kakomi.core",
    "Position": "kakomi.core",
}


def __getattr__(name: str) -> Any:
    """Import on first use, so that `kakomi --help` doesn't load everything."""
    if name not in _HOMES:
        raise AttributeError(f"module 'kakomi' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
