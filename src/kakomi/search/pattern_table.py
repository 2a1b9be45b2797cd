"""The tables of patterns of a game, the same for all its boards: their files, what a search takes, the rings
of points round each point that patterns read, and which of their contents are one pattern.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from kakomi.core import Game
from kakomi.core.action import Action
from kakomi.core.system import arrays_in, replacing
from kakomi.core.wording import truncated_repr
from kakomi.search.patterns import CONTENTS, FIGURES, NOWHERE, Patterns

Step = tuple[int, int]
"""Rows, then columns, by which a point is further than another."""
_THROUGH_A_POINT, _BETWEEN_POINTS = 1, 0
"""Where the axis of a ring's first reflection lies: by how many points a reversed ring is turned for it."""


class _Shape(NamedTuple):
    """The rings of one kind of board."""

    rings: tuple[Sequence[Step], ...]
    """Steps to the points of each, in order."""
    turn: int
    """By how many points the smallest rotation of the board turns a ring."""
    axes: tuple[int, ...]
    """Where each ring's axis lies."""


def _twice(steps: Sequence[Step]) -> tuple[Step, ...]:
    return tuple((2 * up, 2 * on) for up, on in steps)


_EIGHT = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
_SIX = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
_ACROSS = ((0, -1), (-2, -1), (-1, 1), (0, 3), (1, 1), (2, -1))
"""On a honeycomb, for a point whose letter is the first of a pair, rows and letters to its neighbours and,
between each two of them, to the point across the circle there;"""
_ALONG = ((-1, -2), (-2, 0), (-1, 2), (1, 2), (2, 0), (1, -2))
"""and to the other points of the same circles."""
_SHAPES = {
    "square": _Shape((_EIGHT, _twice(_EIGHT)), turn=2, axes=(_THROUGH_A_POINT,) * 2),
    "hexagon": _Shape((_SIX, _twice(_SIX)), turn=1, axes=(_THROUGH_A_POINT,) * 2),
    "honeycomb": _Shape((_ACROSS, _ALONG), turn=2, axes=(_THROUGH_A_POINT, _BETWEEN_POINTS)),
}


def has_rings(game: Game) -> bool:
    """Whether patterns can be read on a game's board."""
    return game.geometry.kind in _SHAPES


@lru_cache(maxsize=16)
def rings_of(game: Game) -> np.ndarray:
    """int16 [points, R, K]: the points of the rings round each point of a game's board in order; where
    there is none, the number of points."""
    geometry = game.geometry
    rings = _SHAPES[geometry.kind].rings
    if geometry.kind == "honeycomb":
        each = [_around_in_pairs(game, ring) for ring in rings]
    else:
        each = [geometry.around(ring, geometry.points) for ring in rings]
    return np.ascontiguousarray(np.array(each, np.int16).transpose(1, 0, 2))


def _around_in_pairs(game: Game, steps: Sequence[Step]) -> list[list[int]]:
    """Points at these steps of rows and letters, which the second letter of a pair mirrors."""
    geometry = game.geometry
    columns = sorted({x for x, _ in geometry.places})
    spots = [(row, columns.index(x)) for (row, _), (x, _) in zip(geometry.grid, geometry.places, strict=True)]
    at = {spot: point for point, spot in enumerate(spots)}
    return [
        [at.get((row + up, letter + (-on if letter % 2 else on)), geometry.points) for up, on in steps]
        for row, letter in spots
    ]


@lru_cache(maxsize=4)
def classes_of(kind: str) -> np.ndarray:
    """int32 [R, CONTENTS ** K]: on a kind of board the class of each content of each ring, read as digits.

    Contents that a rotation or a reflection of the board makes equal are of one class.
    """
    shape = _SHAPES[kind]
    return np.array([_classes(len(shape.rings[0]), shape.turn, axis) for axis in shape.axes], np.int32)


def _classes(size: int, turn: int, axis: int) -> np.ndarray:
    digits = np.array(list(product(range(CONTENTS), repeat=size)), np.int64)
    powers = CONTENTS ** np.arange(size - 1, -1, -1)
    images = [
        np.roll(seen, shift, axis=1) @ powers
        for seen in (digits, np.roll(digits[:, ::-1], axis, axis=1))
        for shift in range(0, size, turn)
    ]
    _, classes = np.unique(np.min(images, axis=0), return_inverse=True)
    return classes


OWN_PATTERNS = "patterns.npz"
"""The name of a table that comes with a game, in the game's folder."""


def own_patterns(game: Game) -> Path | None:
    """The file of the table that comes with a game between two players; None where there is none."""
    return game.description.file(OWN_PATTERNS) if game.players == 2 else None


@dataclass(frozen=True, eq=False)
class PatternTable:
    """Numbers for all patterns of a game; `Patterns` says what the arrays are."""

    game: str
    kinds: tuple[str, ...]
    """The kinds of actions."""
    shares: np.ndarray
    weights: np.ndarray
    biases: np.ndarray
    values: np.ndarray
    outlook: np.ndarray

    @classmethod
    def blank(cls, game: Game) -> Self:
        """A table that knows nothing. Raises ValueError for a game on whose board there are no rings."""
        kind = game.geometry.kind
        if not has_rings(game):
            raise ValueError(f"patterns can't be read on the boards of {game.name}, whose shape is {kind}")
        kinds, features, classes = kinds_of_actions(game), features_of(game), classes_of(kind)
        rings, width = len(classes), int(classes.max()) + 1
        return cls(
            game.name,
            kinds,
            shares=np.zeros((len(kinds), CONTENTS, rings, width), np.float32),
            weights=np.zeros((len(kinds), features), np.float32),
            biases=np.zeros(len(kinds), np.float32),
            values=np.zeros((CONTENTS, rings, width), np.float32),
            outlook=np.zeros(FIGURES, np.float32),
        )

    def patterns(self, game: Game) -> Patterns:
        """What a search of a game takes. Raises ValueError if the table is of another game."""
        if game.name != self.game or kinds_of_actions(game) != self.kinds:
            raise ValueError(f"the patterns are of {self.game}, and not for {game!r}")
        blank = self.blank(game)
        for name in ARRAYS:
            shape, wanted = getattr(self, name).shape, getattr(blank, name).shape
            if shape != wanted:
                raise ValueError(f"{name} of the patterns for {game.name} are {shape}; they must be {wanted}")
        points, rings = game.geometry.points, rings_of(game)
        kinds = [self.kinds.index(_kind(action)) for action in game.actions]
        return Patterns(
            rings=rings,
            classes=classes_of(game.geometry.kind),
            kinds=np.array(kinds, np.int32),
            places=np.array([_place(game, action) for action in game.actions], np.int32),
            shares=self.shares,
            weights=self.weights,
            biases=self.biases,
            values=self.values,
            outlook=self.outlook,
            contents=np.zeros(points + 1, np.int8),
            found=np.zeros((points, rings.shape[1]), np.int32),
            seen=np.zeros((self.weights.shape[1], points), np.float32),
            figures=np.zeros(FIGURES),
            scores=np.zeros(game.players),
            gains=np.zeros(game.players),
        )

    def save(self, path: Path) -> None:
        """Write it to a file, its numbers in half precision."""
        with replacing(path) as file:
            halves = {name: getattr(self, name).astype(np.float16) for name in ARRAYS}
            np.savez_compressed(file, game=self.game, kinds=np.array(self.kinds), **halves)

    @classmethod
    def load(cls, path: Path) -> Self:
        """The table of a file. Raises ValueError for a file that holds none."""
        try:
            kept = arrays_in(path)
            if missing := [name for name in (*ARRAYS, "game", "kinds") if name not in kept]:
                raise ValueError(f"it has no {missing[0]}")
            for name in ARRAYS:
                if kept[name].dtype.kind != "f" or not np.isfinite(kept[name]).all():
                    raise ValueError(f"{name} must be finite floating-point numbers")
        except ValueError as error:
            raise ValueError(f"{truncated_repr(str(path))} holds no patterns: {error}") from None
        arrays = {name: kept[name].astype(np.float32) for name in ARRAYS}
        return cls(str(kept["game"]), tuple(map(str, kept["kinds"].ravel())), **arrays)


ARRAYS = ("shares", "weights", "biases", "values", "outlook")


def kinds_of_actions(game: Game) -> tuple[str, ...]:
    """The kinds of actions of a game, in the order in which they first come."""
    return tuple(dict.fromkeys(_kind(action) for action in game.actions))


def features_of(game: Game) -> int:
    """How many features the game tells of each point."""
    return len(getattr(game.description.observation, "FEATURES", ()))


def _kind(action: Action) -> str:
    return f"{action.kind} {action.variant}".strip()


def _place(game: Game, action: Action) -> int:
    return game.geometry.index[action.point] if action.point else NOWHERE
