"""What a game has to be, so that it can be expressed (docs/what-fits.md)."""

from collections import Counter
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from kakomi.core.action import normalised
from kakomi.kernel import random
from kakomi.kernel.registry import called_by

if TYPE_CHECKING:
    from kakomi.core.game import Game

LEAST_PLAYERS, MOST_PLAYERS = 2, 6
_CERTAIN = ("reset", "restore", "legal", "is_legal", "play", "over", "scores")
"""Rules that leave nothing to chance; `sample` and `playout_action` draw."""


def check_players(name: str, players: int) -> None:
    """Raises ValueError for a game of one, or of more players than can be seated."""
    if not LEAST_PLAYERS <= players <= MOST_PLAYERS:
        raise ValueError(
            f"{name} has {players} player{'s' * (players != 1)}; "
            f"games for {LEAST_PLAYERS} to {MOST_PLAYERS} can be expressed (docs/what-fits.md)"
        )


def unmet_requirements(game: "Game") -> tuple[str, ...]:
    """Why a game is none that can be searched, solved or learnt honestly, a sentence each; none for others.

    A game has perfect information and no chance, players act one after the other, and each action has a
    text of its own. Chance is found where rules draw random numbers by Kakomi's, Python's or NumPy's
    functions; a generator that rules write themselves is not.
    """
    return tuple(_unmet(game))


def check_requirements(game: "Game") -> None:
    """Raises ValueError with the first requirement that a game doesn't meet."""
    for reason in unmet_requirements(game):
        raise ValueError(reason)


def _unmet(game: "Game") -> Iterator[str]:
    rules = game.description.rules
    for name in _CERTAIN:
        if hasattr(rules, name) and _draws(getattr(rules, name)):
            yield (
                f"{name} of {game.name} draws random numbers: "
                "games of chance can't be expressed (docs/what-fits.md)"
            )
    for text, count in Counter(map(normalised, game.action_texts)).items():
        if count > 1:
            yield f"{count} actions of {game.name} have the text {text!r}"


def _draws(function: Any) -> bool:
    """Whether a function of rules, or one that it calls, draws random numbers."""
    waiting, seen = [function], set()
    while waiting:
        function = waiting.pop()
        if not isinstance(function, FunctionType) or function in seen:
            continue
        seen.add(function)
        if function.__module__ == random.__name__ or _names_generator(function):
            return True
        waiting += called_by(function)
    return False


def _names_generator(function: FunctionType) -> bool:
    """Whether a function names Python's or NumPy's module `random`."""
    named = [function.__globals__.get(name) for name in function.__code__.co_names]
    modules = {value.__name__ for value in named if isinstance(value, ModuleType)}
    return bool(modules & {"random", "numpy.random"}) or (
        "numpy" in modules and "random" in function.__code__.co_names
    )
