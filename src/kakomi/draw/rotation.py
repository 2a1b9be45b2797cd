"""Rotated boards, with rows and columns computed from the places of points."""

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from kakomi.boards import Geometry, Place
from kakomi.boards.symmetries import rotated


@lru_cache(maxsize=64)
def turned(geometry: Geometry, by: int) -> Geometry:
    """Return the board with its places and labels turned clockwise by `by` of its rotations.

    Rows and columns of the turned board are labelled if all of them were rows or columns before. Otherwise
    rows are labelled with the names of their ends. Raises ValueError for a turn that the board doesn't have.
    """
    if not 0 <= by < geometry.turns:
        raise ValueError(f"a board can't be turned by {by} here: it has the turns 0 to {geometry.turns - 1}")
    if by == 0:
        return geometry
    centre = geometry.centre
    angle = 2 * math.pi * by / geometry.turns
    places = tuple(_rotated(place, centre, angle) for place in geometry.places)
    cells = tuple(replace(cell, place=_rotated(cell.place, centre, angle)) for cell in geometry.cells)
    rows = _labels(geometry, (y for _, y in places))
    columns = _labels(geometry, (x for x, _ in places))
    return replace(
        geometry,
        places=places,
        cells=cells,
        rows=rows if rows and columns else (),
        columns=columns if rows and columns else (),
    )


def _rotated(place: Place, centre: Place, angle: float) -> Place:
    x, y = rotated((place[0] - centre[0], place[1] - centre[1]), angle)
    return round(centre[0] + x, 9), round(centre[1] + y, 9)


def _labels(geometry: Geometry, heights: Iterable[float]) -> tuple[str, ...]:
    """Return the label of each line of points at one coordinate, ascending; empty if any has none."""
    lines: dict[float, set[tuple[str, str]]] = {}
    for height, labels in zip(heights, _labels_of_points(geometry), strict=True):
        lines.setdefault(round(height, 3), set(labels.items())).intersection_update(labels.items())
    found = [min(kept)[1] for _, kept in sorted(lines.items()) if kept]
    return tuple(found) if len(found) == len(lines) else ()


def _labels_of_points(geometry: Geometry) -> list[dict[str, str]]:
    """Return the row label and column label of each point."""
    rows = dict(zip(levels(y for _, y in geometry.places), geometry.rows, strict=False))
    columns = dict(zip(levels(x for x, _ in geometry.places), geometry.columns, strict=False))
    return [
        {
            kind: labels[round(at, 3)]
            for kind, labels, at in (("row", rows, y), ("column", columns, x))
            if round(at, 3) in labels
        }
        for x, y in geometry.places
    ]


def levels(values: Iterable[float]) -> list[float]:
    """Return the distinct values, ascending, rounded to thousandths."""
    return sorted({round(value, 3) for value in values})


def row_ends(geometry: Geometry) -> list[tuple[str, str]]:
    """Return the names of the leftmost and rightmost point of each row, from the top."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for name, (x, y) in zip(geometry.names, geometry.places, strict=True):
        rows.setdefault(round(y, 3), []).append((x, name))
    return [(min(points)[1], max(points)[1]) for _, points in sorted(rows.items())]
