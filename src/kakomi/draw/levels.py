"""Rows and columns of a board, found from where its points are."""

from collections.abc import Iterable

from kakomi.boards import Geometry


def levels(values: Iterable[float]) -> list[float]:
    """The different values, ascending, rounded to thousandths."""
    return sorted({round(value, 3) for value in values})


def row_ends(geometry: Geometry) -> list[tuple[str, str]]:
    """The names of the first and the last point of each row, from the top."""
    rows: dict[float, list[int]] = {}
    for point, (_, y) in enumerate(geometry.places):
        rows.setdefault(round(y, 3), []).append(point)
    return [(geometry.names[points[0]], geometry.names[points[-1]]) for _, points in sorted(rows.items())]
