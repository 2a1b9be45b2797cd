"""Checks of games and states: what a game has to be so that it can be expressed (docs/what-fits.md), and what
a state may hold that didn't come from play. Rules index arrays by a state's numbers, so they are checked
first.
"""

from collections import Counter
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from kakomi.core.action import normalised
from kakomi.core.wording import range_in_words
from kakomi.kernel import random
from kakomi.kernel.records import EMPTY
from kakomi.kernel.registry import called_by

if TYPE_CHECKING:
    from kakomi.core.game import Game
    from kakomi.core.position import Position


def check_state(game: "Game", states: np.ndarray) -> None:
    """Raises ValueError if the rules can't go on from what the identity fields hold, saying why."""
    validation = game.description.validation
    reason = _impossible_players(game, states[0]) or _beyond_ranges(game, states[0])
    if reason is None and validation is not None:
        reason = validation.validate_state(game, states[0])
    if reason is not None:
        raise ValueError(f"no position of {game!r}: {reason}")


def _impossible_players(game: "Game", state: np.void) -> str | None:
    """Every game has these two fields; beside the board `stones` holds what it held at the start."""
    stones, points, players = state["stones"], game.geometry.points, range(game.players)
    for stone in (int(stones[:points].min()), int(stones[:points].max())):
        if stone != EMPTY and stone not in range(game.players * game.kinds):
            if game.kinds > 1:
                return (
                    f"there is a piece {stone}; pieces are {range_in_words(range(game.players * game.kinds))}"
                )
            return f"there is a stone of player {stone}; players are {range_in_words(players)}"
    if int(state["to_move"]) not in players:
        return f"player {state['to_move']} is to act; players are {range_in_words(players)}"
    if (stones[points:] != game.start().state["stones"][points:]).any():
        return "there are stones beside the board"
    return None


def _beyond_ranges(game: "Game", state: np.void) -> str | None:
    """The first field that holds what its game's `RANGES` don't allow."""
    ranges = getattr(game.description.rules, "RANGES", {}).items()
    found = (out_of_range(state, name, known(game) if callable(known) else known) for name, known in ranges)
    return next(filter(None, found), None)


def out_of_range(state: np.void, name: str, allowed: range) -> str | None:
    """For games' `validate_state`: what is wrong if a field holds a number that isn't allowed, else None."""
    for number in state[name].reshape(-1).tolist():
        if number not in allowed:
            return f"{name} can't be {number}: it may be {range_in_words(allowed)}"
    return None


def bare(game: "Game", state: np.void) -> "Position":
    """For games' `validate_state`: a state's stones and player to act, with all else as at the start."""
    states = game.start().states()
    for name in ("stones", "to_move"):
        states[name] = state[name]
    return game.restored(states)


def set_field(states: np.ndarray, name: str, values: Any) -> None:
    """Write a number, or as many as the field has. Raises ValueError for one that it can't hold."""
    bounds = np.iinfo(states[name].dtype)
    for number in np.ravel(np.asarray(values, object)):
        if not bounds.min <= number <= bounds.max:
            raise ValueError(f"{name} can't be {number}: it holds numbers from {bounds.min} to {bounds.max}")
    states[name][0] = values


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
