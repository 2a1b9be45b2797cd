"""Games that say nothing about solving, with the rules of two that do.

All that this module names counts for the names of compiled files: the rules that it borrows must, and test
tools must not.
"""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from kakomi.core import Game
from kakomi.games.rings import rules as rings
from kakomi.games.rive import rules as rive

RULES: dict[str, Any] = {"rings": rings, "rive": rive}


def saying_nothing(game: Game) -> Game:
    """The same rules of a game that says nothing about solving."""
    rules = plain_rules(game.name)
    return Game(
        replace(game.description, rules=rules, policy=None, observation=None, solving=None), game.options
    )


@cache
def plain_rules(name: str) -> Any:
    """A game's rules, told apart from them by a field of their own."""
    rules = RULES[name]
    fields = [(field, rules.STATE[field]) for field in rules.STATE.names or ()]
    state = np.dtype([*fields, (f"{name}_plain", np.int8)], align=True)
    return SimpleNamespace(**vars(rules) | {"STATE": state, "__name__": __name__})
