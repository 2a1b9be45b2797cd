"""The rings of points round each point that patterns read, and which of their contents are one pattern."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from kakomi.core import Game
from kakomi.search.patterns import CONTENTS

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
