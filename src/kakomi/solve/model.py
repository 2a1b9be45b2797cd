"""The solver's model of a game: its rules and the features that distinguish positions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kakomi.core import Game, Position
from kakomi.core.symmetry import Symmetry, identity_of
from kakomi.kernel import as_records, register


@dataclass(frozen=True)
class Model:
    """A game as the solver searches it. Positions with equal pieces and numbers, up to a symmetry, have the
    same value and are searched once."""

    rules: Any
    """A namespace with `STATE` and functions of `kakomi.kernel.contract`. Boards, scratch space and action
    numbers are those of the game."""
    pieces: tuple[int, ...]
    """The number of possible pieces on each point, including none; 1 if other points determine it."""
    numbers: tuple[int, ...]
    """The number of significant low bits of each number."""
    symmetries: tuple[Symmetry, ...]
    """The symmetries in use, the identity first."""
    adopt: Callable[[Position], np.ndarray]
    """Converts a position to a state, an array [1], whose derived fields `restore` still has to compute."""


def model_of(game: Game) -> Model:
    """Make the model from the game's `solving` module, else from its identity fields."""
    solving: Any = game.description.solving
    rules, adopt = game.description.rules, Position.states
    if hasattr(solving, "STATE"):
        solving = solving if solving.replaces_rules(game) else None
        if solving:
            rules, adopt = solving, solving.adopt
            register(rules)
    if solving is None:
        identity = identity_of(game.geometry, game.actions)
        return Model(rules, _pieces(game, None), _identity_bits(rules), (identity,), adopt)
    points = game.geometry.points
    bits = tuple(bits or points.bit_length() for bits in solving.NUMBERS)
    return Model(rules, _pieces(game, solving), bits, game.symmetries, adopt)


def _pieces(game: Game, solving: Any) -> tuple[int, ...]:
    """Return the possible pieces of each point: by default none, or a stone of each kind and player."""
    points = game.geometry.points
    if not hasattr(solving, "pieces"):
        return (game.players * game.kinds + 1,) * points
    board = as_records(game.board)[0]
    return tuple(int(solving.pieces(board, point)) for point in range(points))


def _identity_bits(rules: Any) -> tuple[int, ...]:
    """Return the bits of each number in the identity fields other than the stones."""
    fields = [rules.STATE[name] for name in rules.IDENTITY if name != "stones"]
    return tuple(
        8 * field.base.itemsize for field in fields for _ in range(field.itemsize // field.base.itemsize)
    )
