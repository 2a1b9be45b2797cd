"""A game without hooks for solving, with the rules of a game that has them.

All names in this module affect the names of compiled files. The rules that it borrows must, and test tools
must not.
"""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from kakomi.core import Game
from kakomi.games.rings import rules


def saying_nothing(game: Game) -> Game:
    """A game of Rings with the same rules but without hooks for solving."""
    plain = {"rules": plain_rules(), "policy": None, "observation": None, "solving": None}
    return Game(replace(game.description, **plain), game.options)


@cache
def plain_rules() -> Any:
    """The rules of Rings, with an additional field that distinguishes them."""
    fields = [(field, rules.STATE[field]) for field in rules.STATE.names or ()]
    state = np.dtype([*fields, ("plain", np.int8)], align=True)
    return SimpleNamespace(**vars(rules) | {"STATE": state, "__name__": __name__})
