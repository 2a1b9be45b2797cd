"""The solver's model of a game: its rules, and the smallest differences between positions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kakomi.core import Game, Position
from kakomi.core.symmetry import Symmetry, identity_of
from kakomi.kernel import as_records, register


@dataclass(frozen=True)
class Model:
    """A game as a solver searches it. Positions that agree in pieces and numbers, or do so after one of the
    symmetries, have one value and are searched once."""

    rules: Any
    """Functions of `kakomi.kernel.contract` with their `STATE`; boards and scratch space are the game's, and
    so are the actions' numbers."""
    pieces: tuple[int, ...]
    """The number of different pieces on each point; 1 if another point determines it."""
    numbers: tuple[int, ...]
    """The number of lowest bits of each number that tell values apart."""
    symmetries: tuple[Symmetry, ...]
    """The one that changes nothing first."""
    adopt: Callable[[Position], np.ndarray]
    """The state (one-element array) that stands for a position, helper fields left to `restore`."""


def model_of(game: Game) -> Model:
    """By the game's `solving`, or by what is true of any game: its identity fields tell positions apart."""
    solving: Any = game.description.solving
    rules, adopt = game.description.rules, Position.states
    if hasattr(solving, "STATE"):
        solving = solving if solving.replaces_rules(game) else None
        if solving:
            rules, adopt = solving, solving.adopt
            register(rules)
    if solving is None:
        return Model(rules, _pieces(game, None), _identity_bits(rules), (_identity(game),), adopt)
    points = game.geometry.points
    bits = tuple(bits or points.bit_length() for bits in solving.NUMBERS)
    return Model(rules, _pieces(game, solving), bits, game.symmetries, adopt)


def _identity(game: Game) -> Symmetry:
    return identity_of(game.geometry, game.actions)


def _pieces(game: Game, solving: Any) -> tuple[int, ...]:
    """A stone of each kind of each player, or none, unless the game counts otherwise."""
    points = game.geometry.points
    if not hasattr(solving, "pieces"):
        return (game.players * game.kinds + 1,) * points
    board = as_records(game.board)[0]
    return tuple(int(solving.pieces(board, point)) for point in range(points))


def _identity_bits(rules: Any) -> tuple[int, ...]:
    """All bits of all numbers in the identity fields beside the stones."""
    fields = [rules.STATE[name] for name in rules.IDENTITY if name != "stones"]
    return tuple(
        8 * field.base.itemsize for field in fields for _ in range(field.itemsize // field.base.itemsize)
    )
