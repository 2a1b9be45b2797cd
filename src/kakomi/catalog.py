"""The games there are: ours by their folders, others by the entry point group `kakomi.games`."""

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from kakomi import games
from kakomi.core import Description, Game
from kakomi.core.option import resolve

ENTRY_POINTS = "kakomi.games"
"""Group of entry points, each naming a module that binds a `Description` to `GAME`, or that object."""


@cache
def _modules() -> dict[str, str]:
    """Game name -> where its description is. Our own games can't be replaced from outside."""
    found = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    for module in pkgutil.iter_modules(games.__path__):
        found[module.name] = f"{games.__name__}.{module.name}"
    return dict(sorted(found.items()))


def names() -> list[str]:
    """The names of all games that can be played."""
    return list(_modules())


@cache
def describe(name: str) -> Description:
    """A game's description. Raises ValueError if there is no such game or it can't be loaded."""
    if name not in _modules():
        raise ValueError(f"there is no game {name!r}; there are: {', '.join(names())}")
    module, _, attribute = _modules()[name].partition(":")
    try:
        description: Description = getattr(importlib.import_module(module), attribute or "GAME")
    except Exception as error:  # whatever somebody's module does when it is imported
        raise ValueError(f"the game {name!r} can't be loaded: {error}") from error
    return description


@cache
def _game(name: str, options: tuple[tuple[str, Any], ...]) -> Game:
    return Game(describe(name), dict(options))


def game(name: str, /, **options: Any) -> Game:
    """A game by name, with options such as `size`.

    Raises ValueError naming the game or the option that is wrong and what it may be.
    """
    chosen = resolve(name, describe(name).options, options)
    return _game(name, tuple(chosen.items()))
