"""Boards other than squares, hexagons and honeycombs, for tests of code that should work on any board."""

import math
from collections.abc import Callable, Sequence

from kakomi.boards import Cell, Geometry, Place

Steps = tuple[tuple[int, int], ...]
"""Rows and columns from a point to its neighbours."""
SIX_AROUND: Steps = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
FOUR_AROUND: Steps = ((-1, 0), (0, 1), (1, 0), (0, -1))


def rhombus(size: int, *, slope: float = 0.5, around: Steps = SIX_AROUND) -> Geometry:
    """Rows of points, each moved to the right by `slope` of a step.

    With six neighbours and a slope of one half it has mirror axes, none of them vertical; with other slopes
    it has none.
    """
    spots = [(row, column) for row in range(size) for column in range(size)]
    return shaped("rhombus", size, spots, around, lambda row, column: (column + slope * row, row * 0.866))


def triangle(size: int) -> Geometry:
    """A triangle standing on one of its sides; its centre isn't at half its height."""
    spots = [(row, column) for row in range(size) for column in range(row + 1)]
    around = ((-1, -1), (-1, 0), (0, 1), (1, 1), (1, 0), (0, -1))
    height = math.sqrt(3) / 2
    return shaped("triangle", size, spots, around, lambda row, column: (column - row / 2, row * height))


def crossed(size: int) -> Geometry:
    """A square board without its corners."""
    corners = {(row, column) for row in (0, size - 1) for column in (0, size - 1)}
    spots = [(r, c) for r in range(size) for c in range(size) if (r, c) not in corners]
    return shaped("cross", size, spots, FOUR_AROUND, lambda row, column: (float(column), float(row)))


def lopsided(size: int) -> Geometry:
    """A square board without one point, so that it has no symmetries."""
    spots = [(r, c) for r in range(size) for c in range(size) if (r, c) != (0, 1)]
    return shaped("lopsided", size, spots, FOUR_AROUND, lambda row, column: (float(column), float(row)))


def with_cell(board: Geometry, *points: str) -> Geometry:
    """A board with one cell between some of its points."""
    numbers = tuple(board.index[name] for name in points)
    xs, ys = zip(*(board.places[number] for number in numbers), strict=True)
    cell = Cell("cell", numbers, (sum(xs) / len(xs), sum(ys) / len(ys)))
    return Geometry(board.kind, board.size, board.names, board.places, board.neighbours, cells=(cell,))


def shaped(
    kind: str,
    size: int,
    spots: Sequence[tuple[int, int]],
    around: Steps,
    place: Callable[[int, int], Place],
) -> Geometry:
    """A board of spots in a grid, named by row and column."""
    number = {spot: point for point, spot in enumerate(spots)}
    places: tuple[Place, ...] = tuple(place(row, column) for row, column in spots)
    neighbours = tuple(
        tuple(
            number[row + down, column + right]
            for down, right in around
            if (row + down, column + right) in number
        )
        for row, column in spots
    )
    names = tuple(f"{'abcdefghi'[row]}{column + 1}" for row, column in spots)
    return Geometry(kind, size, names, places, neighbours)
