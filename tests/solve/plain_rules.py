"""A game that says nothing about solving, with the rules of one that does.

All that this module names counts for the names of compiled files: the rules that it borrows must, and test
tools must not.
"""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from kakomi.core import Game
from kakomi.games.rings import rules


def saying_nothing(game: Game) -> Game:
    """The same rules of a game of Rings that says nothing about solving."""
    plain = {"rules": plain_rules(), "policy": None, "observation": None, "solving": None}
    return Game(replace(game.description, **plain), game.options)


@cache
def plain_rules() -> Any:
    """The rules of Rings, told apart from them by a field of their own."""
    fields = [(field, rules.STATE[field]) for field in rules.STATE.names or ()]
    state = np.dtype([*fields, ("plain", np.int8)], align=True)
    return SimpleNamespace(**vars(rules) | {"STATE": state, "__name__": __name__})
