"""Hexagonal boards of hexagonal cells, with horizontal rows (RULES V1)."""

import math
from functools import cache

from kakomi.boards.geometry import Geometry
from kakomi.boards.symmetries import Place

_LETTERS = "abcdefghijklmno"
_ROW_HEIGHT = math.sqrt(3) / 2
_Hex = tuple[int, int]
"""The row from the bottom, and the position in half steps from the left."""
_CLOCKWISE = ((1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1))


@cache
def hexagon_board(size: int) -> Geometry:
    """Make a board of side 2 to 8. Cells are numbered row by row from the bottom left, `a1`, upwards.

    Neighbours are listed clockwise from the upper right.
    """
    cells = [(row, across) for row in range(2 * size - 1) for across in _row(size, row)]
    number = {cell: point for point, cell in enumerate(cells)}
    names = tuple(f"{_LETTERS[row]}{(across - _row(size, row).start) // 2 + 1}" for row, across in cells)
    neighbours = tuple(tuple(number[cell] for cell in _around(*cell) if cell in number) for cell in cells)
    return Geometry("hexagon", size, names, tuple(_place(size, *cell) for cell in cells), neighbours)


def _row(size: int, row: int) -> range:
    """Return the positions of a row's cells, in half steps from the board's left corner."""
    indent = abs(row - (size - 1))
    return range(indent, 4 * size - 2 - indent, 2)


def _around(row: int, across: int) -> list[_Hex]:
    return [(row + up, across + right) for up, right in _CLOCKWISE]


def _place(size: int, row: int, across: int) -> Place:
    return across / 2, (2 * size - 2 - row) * _ROW_HEIGHT
