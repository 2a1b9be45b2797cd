"""A grid of characters, each with its paint."""

from itertools import groupby


class Grid:
    """Characters by row and column, both of which may be negative; what isn't set is a space.

    A paint is what stands between `ESC [` and `m`, `""` for none.
    """

    def __init__(self) -> None:
        self._marks: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, row: int, column: int, text: str, paint: str = "") -> None:
        """Write a text from a place rightwards, over what was there."""
        for offset, character in enumerate(text):
            self._marks[row, column + offset] = character, paint

    def at(self, row: int, column: int) -> str:
        """The character at a place."""
        return self._marks.get((row, column), (" ", ""))[0]

    def lines(self, colour: bool) -> list[str]:
        """The rows from top to bottom, without spaces at their ends."""
        rows, columns = zip(*self._marks, strict=True)
        left = min(columns)
        return [self._line(row, left, colour) for row in range(min(rows), max(rows) + 1)]

    def _line(self, row: int, left: int, colour: bool) -> str:
        right = max((column for at, column in self._marks if at == row), default=left - 1)
        marks = [self._marks.get((row, column), (" ", "")) for column in range(left, right + 1)]
        if not colour:
            return "".join(character for character, _ in marks)
        return "".join(
            painted("".join(character for character, _ in run), paint)
            for paint, run in groupby(marks, key=lambda mark: mark[1])
        )


def painted(text: str, paint: str) -> str:
    """The text in a paint, as a terminal takes it."""
    return f"\x1b[{paint}m{text}\x1b[0m" if paint else text
