"""A reference implementation of Tercet, written directly from its rules for players."""

from itertools import pairwise

from reference.common import Lines, Position, columns_of, lettered_rows

Side = tuple[str, str]
"""Two points on opposite sides of a third."""


def sides_of(rows: Lines) -> dict[str, list[Side]]:
    """Point → its two neighbours in its row and in its column, where it has both."""
    sides: dict[str, list[Side]] = {point: [] for row in rows for point in row}
    for line in rows + columns_of(rows):
        for (before, point), (_, after) in pairwise(pairwise(line)):
            sides[point].append((before, after))
    return sides


class SlowTercet(Position):
    players = 3

    def __init__(self, size: int, stones: int) -> None:
        super().__init__()
        self._sides = sides_of(lettered_rows(size))
        self._points = self._sides.keys()
        self._unplaced = 3 * stones
        self._placed = ""  # the stone of this turn
        self._removed = (0, 0, 0)

    def legal(self) -> set[str]:
        if self.is_over:
            return set()
        return {f"x{point}" for point in self._flanked()} | {"end"} if self._placed else self._empty()

    def _flanked(self) -> set[str]:
        """Enemy stones between the one just placed and another of the mover's."""
        return {
            point
            for point, sides in self._sides.items()
            if self._stones.get(point, self.to_move) != self.to_move
            and any(
                self._placed in side and all(self._stones.get(end) == self.to_move for end in side)
                for side in sides
            )
        }

    def _apply(self, text: str) -> None:
        if text.startswith("x"):
            del self._stones[text[1:]]
            first, second, third = (n + (player == self.to_move) for player, n in enumerate(self._removed))
            self._removed = first, second, third
        elif text != "end":
            self._stones[text] = self.to_move
            self._placed = text
            self._unplaced -= 1
        if text == "end" or not self._flanked():
            self.to_move = (self.to_move + 1) % 3
            self._placed = ""

    @property
    def is_over(self) -> bool:
        return self._unplaced == 0 and not self._placed

    def scores(self) -> list[int]:
        return [own + taken for own, taken in zip(self._stone_counts(), self._removed, strict=True)]
