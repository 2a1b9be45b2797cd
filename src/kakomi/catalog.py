"""The available games: built-in ones by folder, others by the entry point group `kakomi.games`."""

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from kakomi import games
from kakomi.core import Description, Game
from kakomi.core.option import resolve

ENTRY_POINTS = "kakomi.games"
"""The group of entry points that name a `Description`, or a module with one called `GAME`."""


@cache
def _modules() -> dict[str, str]:
    """Return game name -> location of its description. Entry points can't replace built-in games."""
    found = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    for module in pkgutil.iter_modules(games.__path__):
        found[module.name] = f"{games.__name__}.{module.name}"
    return dict(sorted(found.items()))


def names() -> list[str]:
    """Return the names of all games."""
    return list(_modules())


@cache
def describe(name: str) -> Description:
    """Return a game's description. Raises ValueError if there is no such game or it can't be loaded."""
    if name not in _modules():
        raise ValueError(f"there is no game {name!r}; there are: {', '.join(names())}")
    module, _, attribute = _modules()[name].partition(":")
    try:
        description: Description = getattr(importlib.import_module(module), attribute or "GAME")
    except Exception as error:  # importing a third-party module may raise anything
        raise ValueError(f"the game {name!r} can't be loaded: {error}") from error
    return description


@cache
def _game(name: str, options: tuple[tuple[str, Any], ...]) -> Game:
    return Game(describe(name), dict(options))


def game(name: str, /, **options: Any) -> Game:
    """Return a game by name, with options such as `size`.

    Raises ValueError for an unknown game or a bad option, with the values that are allowed.
    """
    chosen = resolve(name, describe(name).options, options)
    return _game(name, tuple(chosen.items()))
