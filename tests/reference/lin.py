"""Lin, straight from its rules (RULES L1 to L6)."""

from functools import cache

from .common import Lines, Position, check, columns_of, components, lettered_rows, side_by_side


@cache
def board_neighbours(size: int) -> dict[str, set[str]]:
    return side_by_side(lettered_rows(size))


@cache
def straight_lines(size: int, length: int) -> Lines:
    """All straight lines of a length, in rows and columns."""
    rows = lettered_rows(size)
    return [
        line[start : start + length] for line in rows + columns_of(rows) for start in range(size - length + 1)
    ]


def usual_line(size: int) -> int:
    return {5: 4, 7: 5}.get(size, 6)


class Lin(Position):
    def __init__(self, size: int = 13, line: int | None = None, komi: int = 0) -> None:
        check(size % 2 == 1 and 5 <= size <= 19, "the size is odd, 5 to 19")
        line = usual_line(size) if line is None else line
        check(line == 6 or size < 9, "only on boards under 9 the line can be shorter than 6")
        check(3 <= line <= min(6, size), "the line is 3 to 6, and not longer than the board")
        check(komi % 2 == 0 and 0 <= komi < size * size, "komi is even, and less than the board has points")
        super().__init__()
        self._neighbours = board_neighbours(size)
        self._points = self._neighbours.keys()
        self._lines = straight_lines(size, line)
        self._komi = komi

    def domains(self, colour: int) -> list[set[str]]:
        """The maximal connected sets of points without stones of the other colour (RULES L2)."""
        without_enemy = {point for point in self._points if self._stones.get(point) != 1 - colour}
        return components(without_enemy, self._neighbours)

    def is_alive(self, domain: set[str]) -> bool:
        return any(domain.issuperset(line) for line in self._lines)

    def living(self, colour: int) -> set[str]:
        """All points of the colour's living domains."""
        return {point for domain in self.domains(colour) if self.is_alive(domain) for point in domain}

    def legal(self) -> set[str]:
        if self.is_over:
            return set()
        return self.living(self.to_move) & self._empty()

    def _apply(self, text: str) -> None:
        enemy = 1 - self.to_move
        self._stones[text] = self.to_move
        enemy_living = self.living(enemy)
        for point, owner in list(self._stones.items()):
            if owner == enemy and point not in enemy_living:
                del self._stones[point]
        self.to_move = enemy

    @property
    def is_over(self) -> bool:
        return self.living(0).isdisjoint(self.living(1))

    def scores(self) -> list[int]:
        return [len(self.living(0)), len(self.living(1)) + self._komi]
