"""Pattern tables of a game, shared by all its boards: their files, the arrays that a search takes, the rings
of points that patterns read round each point, and which ring contents count as the same pattern.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from kakomi.core import Game
from kakomi.core.action import Action
from kakomi.core.i18n import truncated_repr
from kakomi.core.system import arrays_in, replacing
from kakomi.kernel import driver
from kakomi.search.patterns import CONTENTS, FIGURES, NOWHERE, Patterns

Step = tuple[int, int]
"""The offset from one point to another: rows, then columns."""
_THROUGH_A_POINT, _BETWEEN_POINTS = 1, 0
"""The axis of a ring's first reflection, as the number of points by which to turn the reversed ring."""


class _Shape(NamedTuple):
    """The rings of one kind of board."""

    rings: tuple[Sequence[Step], ...]
    """The steps to the points of each ring, in order."""
    turn: int
    """The number of points by which the board's smallest rotation turns a ring."""
    axes: tuple[int, ...]
    """The axis of each ring: `_THROUGH_A_POINT` or `_BETWEEN_POINTS`."""


def _twice(steps: Sequence[Step]) -> tuple[Step, ...]:
    return tuple((2 * up, 2 * on) for up, on in steps)


_EIGHT = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
_SIX = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
_ACROSS = ((0, -1), (-2, -1), (-1, 1), (0, 3), (1, 1), (2, -1))
"""On a honeycomb, for a point whose letter is the first of a pair: the steps in rows and letters to its
neighbours and, between each two of them, to the opposite point of the circle there."""
_ALONG = ((-1, -2), (-2, 0), (-1, 2), (1, 2), (2, 0), (1, -2))
"""The steps to the other points of the same circles."""
_SHAPES = {
    "square": _Shape((_EIGHT, _twice(_EIGHT)), turn=2, axes=(_THROUGH_A_POINT,) * 2),
    "hexagon": _Shape((_SIX, _twice(_SIX)), turn=1, axes=(_THROUGH_A_POINT,) * 2),
    "honeycomb": _Shape((_ACROSS, _ALONG), turn=2, axes=(_THROUGH_A_POINT, _BETWEEN_POINTS)),
}


def has_rings(game: Game) -> bool:
    """Whether patterns are supported on a game's board."""
    return game.geometry.kind in _SHAPES


@lru_cache(maxsize=16)
def rings_of(game: Game) -> np.ndarray:
    """Return the points of the rings round each point of a game's board, in order: int16 [points, R, K]. The
    number of points stands for places off the board."""
    geometry = game.geometry
    rings = _SHAPES[geometry.kind].rings
    if geometry.kind == "honeycomb":
        each = [_around_in_pairs(game, ring) for ring in rings]
    else:
        each = [geometry.around(ring, geometry.points) for ring in rings]
    return np.ascontiguousarray(np.array(each, np.int16).transpose(1, 0, 2))


def _around_in_pairs(game: Game, steps: Sequence[Step]) -> list[list[int]]:
    """Return the points at these steps in rows and letters, mirrored for the second letter of a pair."""
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
    """Return the class of each ring's contents, read as digits, on a kind of board: int32 [R, CONTENTS ** K].

    Contents that a rotation or reflection of the board maps to each other have the same class.
    """
    orders = orders_of(kind)
    size = orders.shape[2]
    digits = np.array(list(product(range(CONTENTS), repeat=size)), np.int64)
    powers = CONTENTS ** np.arange(size - 1, -1, -1)
    images = [np.min([digits[:, order] @ powers for order in ring], axis=0) for ring in orders]
    return np.array([np.unique(each, return_inverse=True)[1] for each in images], np.int32)


def orders_of(kind: str) -> np.ndarray:
    """Return the orders in which each ring on a kind of board reads the same: int64 [R, orders, K]."""
    shape = _SHAPES[kind]
    points = np.arange(len(shape.rings[0]))
    return np.array(
        [
            [
                np.roll(seen, shift)
                for seen in (points, np.roll(points[::-1], axis))
                for shift in range(0, len(points), shape.turn)
            ]
            for axis in shape.axes
        ]
    )


@driver
def number_classes(orders: Any, classes: Any) -> None:
    """Write `classes_of` a kind of board from its `orders_of`, where memory is filled without NumPy."""
    for ring in range(orders.shape[0]):
        count = 0
        for code in range(classes.shape[1]):
            least = code
            for order in range(orders.shape[1]):
                image = 0
                for k in range(orders.shape[2]):
                    shift = 2 * (orders.shape[2] - 1 - int(orders[ring, order, k]))
                    image = image * CONTENTS + ((code >> shift) & (CONTENTS - 1))
                least = min(least, image)
            if least == code:
                classes[ring, code] = count
                count += 1
            else:
                classes[ring, code] = classes[ring, least]


OWN_PATTERNS = "patterns.npz"
"""The file name of a game's own table, in its folder `measured`."""


def own_patterns(game: Game) -> Path | None:
    """Return the file of the table that comes with a two-player game; None if there is none."""
    return game.description.measured_file(OWN_PATTERNS) if game.players == 2 else None


@dataclass(frozen=True, eq=False)
class PatternTable:
    """The numbers for all patterns of a game; `Patterns` describes the arrays."""

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
        """Return a table of zeros. Raises ValueError if patterns aren't supported on the game's board."""
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
        """Return the arrays that a search takes. Raises ValueError if the table is for another game."""
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
        """Write the table to a file, in half precision."""
        with replacing(path) as file:
            halves = {name: getattr(self, name).astype(np.float16) for name in ARRAYS}
            np.savez_compressed(file, game=self.game, kinds=np.array(self.kinds), **halves)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a table from a file. Raises ValueError if the file holds none."""
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
    """Return the kinds of actions of a game, in order of first occurrence."""
    return tuple(dict.fromkeys(_kind(action) for action in game.actions))


def features_of(game: Game) -> int:
    """Return the number of features that the game's rules compute per point."""
    return len(getattr(game.description.observation, "FEATURES", ()))


def _kind(action: Action) -> str:
    return f"{action.kind} {action.variant}".strip()


def _place(game: Game, action: Action) -> int:
    return game.geometry.index[action.point] if action.point else NOWHERE
