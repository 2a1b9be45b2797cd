"""Rows and columns of a board, found from where its points are."""

from collections.abc import Iterable

from kakomi.boards import Geometry


def levels(values: Iterable[float]) -> list[float]:
    """The different values, ascending, rounded to thousandths."""
    return sorted({round(value, 3) for value in values})


def row_ends(geometry: Geometry) -> list[tuple[str, str]]:
    """The names of the leftmost and the rightmost point of each row, from the top."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for name, (x, y) in zip(geometry.names, geometry.places, strict=True):
        rows.setdefault(round(y, 3), []).append((x, name))
    return [(min(points)[1], max(points)[1]) for _, points in sorted(rows.items())]
