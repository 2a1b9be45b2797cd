"""Overlapping circles in a hexagonal pattern, with points where three of them meet (RULES G2)."""

import math
from functools import cache
from itertools import combinations

from kakomi.boards.geometry import Cell, Geometry
from kakomi.boards.symmetries import Place

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"
_ROW_HEIGHT = math.sqrt(3) / 2
_Spot = tuple[int, int]
"""The row from the top and the letter from the left, both from 0."""


@cache
def honeycomb_board(size: int) -> Geometry:
    """Make a board of side 2 to 6, whose cells are the full circles. Points are named by letter and row.

    Points and circles are numbered row by row downwards, left to right. A circle is named after its middle:
    `LM2` is the circle through L1 M1 K2 N2 L3 M3.
    """
    middles = sorted(_middles(size))
    spots = sorted({spot for middle in middles for spot in _through(*middle)})
    number = {spot: point for point, spot in enumerate(spots)}
    circles = [tuple(number[spot] for spot in _through(*middle)) for middle in middles]
    beside = _sharing(circles, points=2)
    return Geometry(
        kind="honeycomb",
        size=size,
        names=tuple(f"{_LETTERS[letter]}{row + 1}" for row, letter in spots),
        places=tuple(_place(*spot) for spot in spots),
        neighbours=tuple(tuple(number[spot] for spot in _next_to(*spot) if spot in number) for spot in spots),
        cells=tuple(
            Cell(f"{_LETTERS[letter]}{_LETTERS[letter + 1]}{row + 1}", circle, _centre(row, letter), others)
            for (row, letter), circle, others in zip(middles, circles, beside, strict=True)
        ),
        rows=tuple(str(row + 1) for row in range(4 * size - 1)),
        columns=tuple(_LETTERS[: 4 * size]),
    )


def _middles(size: int) -> list[_Spot]:
    """Return each full circle's middle row, and the left one of its two middle letters."""
    columns = range(1 - size, size)
    return [
        (row, 2 * (size + column) - 1)
        for column in columns
        for row in range(abs(column) + 1, 4 * size - 2 - abs(column), 2)
    ]


def _through(row: int, letter: int) -> list[_Spot]:
    """Return the six points of a circle in reading order: two above, two beside, two below."""
    above, below = row - 1, row + 1
    return [
        (above, letter),
        (above, letter + 1),
        (row, letter - 1),
        (row, letter + 2),
        (below, letter),
        (below, letter + 1),
    ]


def _next_to(row: int, letter: int) -> list[_Spot]:
    """Return the spots one step away: above, beside, below."""
    outwards = 1 if letter % 2 == 0 else -1
    return [(row - 1, letter + outwards), (row, letter - outwards), (row + 1, letter + outwards)]


def _sharing(circles: list[tuple[int, ...]], points: int) -> list[tuple[int, ...]]:
    """Return for each circle the others that share exactly this many points with it."""
    found: list[list[int]] = [[] for _ in circles]
    for (i, first), (j, second) in combinations(enumerate(circles), 2):
        if len(set(first) & set(second)) == points:
            found[i].append(j)
            found[j].append(i)
    return [tuple(sorted(others)) for others in found]


def _place(row: int, letter: int) -> Place:
    """Return a spot's place: letters come in pairs half a step apart, and a pair every 1.5 steps."""
    return 1.5 * (letter // 2) + 0.5 * (letter % 2), row * _ROW_HEIGHT


def _centre(row: int, letter: int) -> Place:
    x, y = _place(row, letter)
    return x + 0.5, y
