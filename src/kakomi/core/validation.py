"""Which games can be expressed (docs/what-fits.md)."""

from collections import Counter
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

from kakomi.core.action import normalised
from kakomi.core.game import Game
from kakomi.kernel import random
from kakomi.kernel.registry import callees_of

_CERTAIN = ("reset", "restore", "legal", "is_legal", "play", "over", "scores")
"""Rules without chance; `sample` and `playout_action` draw random numbers."""


def unmet_requirements(game: Game) -> tuple[str, ...]:
    """Why a game can't be searched, solved or learnt correctly, a sentence for each reason.

    A game must have perfect information and no chance, players must act in turn, and each action needs a
    text of its own. Chance is detected if rules draw random numbers by Kakomi's, Python's or NumPy's
    functions, but not if they contain a generator of their own.
    """
    return tuple(_unmet(game))


def check_requirements(game: Game) -> None:
    """Raise ValueError with the first requirement that a game doesn't meet."""
    for reason in unmet_requirements(game):
        raise ValueError(reason)


def _unmet(game: Game) -> Iterator[str]:
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
    """Whether a function of the rules, or one that it calls, draws random numbers."""
    waiting, seen = [function], set()
    while waiting:
        function = waiting.pop()
        if not isinstance(function, FunctionType) or function in seen:
            continue
        seen.add(function)
        if function.__module__ == random.__name__ or _names_generator(function):
            return True
        waiting += callees_of(function)
    return False


def _names_generator(function: FunctionType) -> bool:
    """Whether a function refers to Python's or NumPy's module `random`."""
    named = [function.__globals__.get(name) for name in function.__code__.co_names]
    modules = {value.__name__ for value in named if isinstance(value, ModuleType)}
    return bool(modules & {"random", "numpy.random"}) or (
        "numpy" in modules and "random" in function.__code__.co_names
    )
