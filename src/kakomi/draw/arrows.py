"""Where the arrow keys lead from each point and cell."""

import math
from collections.abc import Iterable
from itertools import pairwise

from kakomi.boards import Geometry

_Row = tuple[float, list[tuple[float, str]]]
"""A height, and the points and cells there from the left."""
_SLOPE = 1.1
"""How far to the side a step up or down may lead: to the next ones of a hexagon, not to those after."""
_NEARLY = 1e-6


def arrows(geometry: Geometry) -> dict[str, dict[str, str]]:
    """For each point and cell, by name, the next one "up", "down", "left" and "right" where there is one.

    Left and right stay in a row. Up and down lead to the row beside; where rows are half a step apart
    they go to and fro between the two, so that the way back is the way that one came.
    """
    rows = _rows(geometry)
    found: dict[str, dict[str, str]] = {name: {} for _, row in rows for _, name in row}
    for number, (height, row) in enumerate(rows):
        for (_, left), (_, right) in pairwise(row):
            found[left]["right"], found[right]["left"] = right, left
        above, below = rows[number - 1 :: -1] if number else [], rows[number + 1 :]
        for x, name in row:
            for direction, ahead in (("up", above), ("down", below)):
                if (to := _first(x, height, ahead)) is not None:
                    found[name][direction] = to
    return found


def _rows(geometry: Geometry) -> list[_Row]:
    rows: dict[float, list[tuple[float, str]]] = {}
    points = zip(geometry.names, geometry.places, strict=True)
    for name, (x, y) in (*points, *((cell.name, cell.place) for cell in geometry.cells)):
        rows.setdefault(round(y, 3), []).append((x, name))
    return [(y, sorted(row)) for y, row in sorted(rows.items())]


def _first(x: float, height: float, rows: Iterable[_Row]) -> str | None:
    """The nearest place in the first of the rows that has one not too far to the side."""
    for y, row in rows:
        reach = _SLOPE * abs(y - height)
        near = [
            (round(abs(at - x), 3), _column(at) != _column(x), name)
            for at, name in row
            if abs(at - x) <= reach
        ]
        if near:
            return min(near)[2]
    return None


def _column(x: float) -> int:
    """A column as wide as a step: of two places half a step to either side it holds one."""
    return math.floor(x + _NEARLY)
