"""Rive, straight from its rules (RULES V1 to V8)."""

from functools import cache

from .common import Position, check, components


@cache
def board_neighbours(side: int) -> dict[str, list[str]]:
    """The neighbours of cells on a hexagonal board; rows are lettered from the bottom, cells numbered from
    left.

    Horizontal positions are measured in half cells, so that the neighbours in the same row are two half cells
    away, and the four above and below one.
    """
    cells = {}
    for row in range(2 * side - 1):
        from_middle = abs(row - (side - 1))
        for number in range(1, 2 * side - from_middle):
            cells[row, from_middle + 2 * number] = "abcdefghijklmno"[row] + str(number)
    steps = [(0, -2), (0, 2), (1, -1), (1, 1), (-1, -1), (-1, 1)]
    return {
        name: [cells[row + up, x + right] for up, right in steps if (row + up, x + right) in cells]
        for (row, x), name in cells.items()
    }


class Rive(Position):
    def __init__(self, size: int = 4) -> None:
        check(2 <= size <= 8, "the side is 2 to 8")
        super().__init__()
        self._neighbours = board_neighbours(size)
        self._points = self._neighbours.keys()
        # During a capture: the stone whose placement joined the group, and the size to which the
        # group must shrink.
        self._joining_stone: str | None = None
        self._size_after_capture = 0

    def legal(self) -> set[str]:
        if self._joining_stone is not None:
            return {f"x{point}" for point in self._removable()}
        return self._placements()

    def _placements(self) -> set[str]:
        """The empty cells whose largest adjacent group is as small as possible (RULES V3)."""
        group_size = {point: len(group) for group in self._groups() for point in group}
        largest_beside = {
            cell: max(group_size.get(near, 0) for near in self._neighbours[cell]) for cell in self._empty()
        }
        smallest = min(largest_beside.values(), default=0)
        return {cell for cell, largest in largest_beside.items() if largest == smallest}

    def _removable(self) -> set[str]:
        """The stones without which the joined group stays connected (RULES V5)."""
        group = self._group_of(self._joining_stone)
        return {stone for stone in group if len(components(group - {stone}, self._neighbours)) == 1}

    def _apply(self, text: str) -> None:
        if text.startswith("x"):
            del self._stones[text[1:]]
        else:
            self._place(text)
        if self._joining_stone and len(self._group_of(self._joining_stone)) == self._size_after_capture:
            self._joining_stone = None  # and the same player places again (RULES V6)

    def _place(self, cell: str) -> None:
        joined = [group for group in self._groups() if not group.isdisjoint(self._neighbours[cell])]
        self._stones[cell] = self.to_move
        if len(joined) > 1:
            self._joining_stone = cell
            self._size_after_capture = max(len(group) for group in joined) + 1
        else:
            self.to_move = 1 - self.to_move

    def _groups(self) -> list[set[str]]:
        """The connected groups of stones, regardless of colour (RULES V2)."""
        return components(self._stones, self._neighbours)

    def _group_of(self, stone: str) -> set[str]:
        return next(group for group in self._groups() if stone in group)

    @property
    def is_over(self) -> bool:
        # A placement on the last empty cell either touches one group of all other cells, or captures.
        return not self._empty() and self._joining_stone is None

    def scores(self) -> list[int]:
        return self._stone_counts()
