"""Square boards with the two naming schemes of our games."""

from functools import cache

from kakomi.boards.geometry import Geometry

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@cache
def letter_board(size: int) -> Geometry:
    """Make a board with points numbered row by row from `a1` (bottom left) upwards; no letter is skipped."""
    names = tuple(f"{_LETTERS[column]}{row + 1}" for row in range(size) for column in range(size))
    places = tuple((float(column), float(size - 1 - row)) for row in range(size) for column in range(size))
    rows = tuple(str(row + 1) for row in reversed(range(size)))
    columns = tuple(_LETTERS[:size])
    return Geometry("square", size, names, places, _grid(size), rows=rows, columns=columns)


@cache
def matrix_board(size: int) -> Geometry:
    """Make a board with points `row,column`, numbered row by row from `0,0` (top left) downwards."""
    names = tuple(f"{row},{column}" for row in range(size) for column in range(size))
    places = tuple((float(column), float(row)) for row in range(size) for column in range(size))
    numbers = tuple(str(number) for number in range(size))
    return Geometry("square", size, names, places, _grid(size), rows=numbers, columns=numbers)


def _grid(size: int) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(
            r * size + c
            for r, c in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
            if 0 <= r < size and 0 <= c < size
        )
        for row in range(size)
        for column in range(size)
    )
