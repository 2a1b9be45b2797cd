"""Ren, straight from its rules (RULES N1 to N12)."""

from collections.abc import Mapping
from functools import cache
from typing import Self

from .common import Lines, Position, boxes, check, columns_of, lettered_rows, side_by_side


@cache
def board_neighbours(size: int) -> dict[str, set[str]]:
    return side_by_side(lettered_rows(size))


@cache
def board_lines(size: int) -> Lines:
    rows = lettered_rows(size)
    return rows + columns_of(rows)


@cache
def board_boxes(size: int, width: int, height: int) -> list[frozenset[str]]:
    return boxes(lettered_rows(size), width, height)


def eight_around(size: int, square: str) -> set[str]:
    x, y = "abcdefghijkl".index(square[0]), int(square[1:]) - 1
    rows = lettered_rows(size)
    nearby = {point for row in rows[max(y - 1, 0) : y + 2] for point in row[max(x - 1, 0) : x + 2]}
    return nearby - {square}


class Ren(Position):
    def __init__(self, size: int = 10, rui_limit: int = 3, lead: int = 0) -> None:
        check(4 <= size <= 12, "the size is 4 to 12")
        check(rui_limit >= 0, "the rui limit is not negative")
        check(lead >= 0, "the lead is not negative")
        super().__init__()
        self._size = size
        self._neighbours = board_neighbours(size)
        self._points = self._neighbours.keys()
        self._rui_limit = rui_limit
        self._lead = lead
        self._scores = (0, 0)
        self._rui: frozenset[str] = frozenset()
        self._replacements = 0  # in succession, of both players (RULES N6)
        self._passes = 0  # in succession
        self._nine_box = False

    @classmethod
    def arranged(
        cls, stones: Mapping[str, int], to_move: int, points: tuple[int, int] = (0, 0), **options
    ) -> Self:
        """A position with the given points of Black and White so far."""
        position = super().arranged(stones, to_move, **options)
        position._scores = points
        return position

    def rui(self) -> set[str]:
        """The stones that are weak now, whether or not the rui limit allows replacing them."""
        return set() if self.is_over else set(self._rui)

    def legal(self) -> set[str]:
        if self.is_over:
            return set()
        replaceable = self.rui() if self._replacements < self._rui_limit else set()
        return self._empty() | replaceable | {"pass"}

    def _apply(self, text: str) -> None:
        self._rui = frozenset()
        if text == "pass":
            self._passes += 1
        else:
            self._passes = 0
            self._place(text)
        self.to_move = 1 - self.to_move

    def _place(self, square: str) -> None:
        mover = self.to_move
        niban = set()
        if square in self._stones:
            self._replacements += 1
            self._stones[square] = mover  # a replacement never captures (RULES N7)
        else:
            self._replacements = 0
            self._stones[square] = mover
            niban = self._capture(square)
        if self._full_boxes(square, 3, 3):
            self._win_by_nine_box(mover)
            return
        points = self._row_points(square) + self._box_points(square)
        if points:
            self._add_points(mover, points)
            around = eight_around(self._size, square)
            self._rui = frozenset({p for p in around if self._stones.get(p) == mover} - niban)

    def _capture(self, square: str) -> set[str]:
        """Remove the single stones that `square` surrounds (RULES N7), and return the niban set, if any
        (N8)."""
        mover = self._stones[square]
        captured = {
            near
            for near in self._neighbours[square]
            if self._stones.get(near) == 1 - mover
            and all(self._stones.get(side) == mover for side in self._neighbours[near])
        }
        for stone in captured:
            del self._stones[stone]
        niban = captured if captured and self._is_in_atari(square) else set()
        for stone in niban:
            self._stones[stone] = mover
        return niban

    def _is_in_atari(self, square: str) -> bool:
        """Whether three sides are enemy stones or the edge, and the fourth is empty."""
        enemy = 1 - self._stones[square]
        neighbours = self._neighbours[square]
        closed = 4 - len(neighbours) + sum(self._stones.get(side) == enemy for side in neighbours)
        return closed == 3 and any(side not in self._stones for side in neighbours)

    def _row_points(self, square: str) -> int:
        """RULES N2: exactly four in a row score 1 point, exactly six 2."""
        lengths = [self._run_length(line, square) for line in board_lines(self._size) if square in line]
        return sum({4: 1, 6: 2}.get(length, 0) for length in lengths)

    def _run_length(self, line: list[str], square: str) -> int:
        """The length of the maximal run of one colour through the square in a row or column."""
        at = line.index(square)
        first = last = at
        while first > 0 and self._stones.get(line[first - 1]) == self._stones[square]:
            first -= 1
        while last < len(line) - 1 and self._stones.get(line[last + 1]) == self._stones[square]:
            last += 1
        return last - first + 1

    def _box_points(self, square: str) -> int:
        """RULES N3: six-boxes score 2 points each, four-boxes outside them 1."""
        sixes = self._full_boxes(square, 3, 2) + self._full_boxes(square, 2, 3)
        fours = [four for four in self._full_boxes(square, 2, 2) if not any(four <= six for six in sixes)]
        return 2 * len(sixes) + len(fours)

    def _full_boxes(self, square: str, width: int, height: int) -> list[frozenset[str]]:
        """The boxes containing the square that are full of stones of its colour."""
        owner = self._stones[square]
        return [
            box
            for box in board_boxes(self._size, width, height)
            if square in box and all(self._stones.get(point) == owner for point in box)
        ]

    def _win_by_nine_box(self, mover: int) -> None:
        """RULES N4: a mover who is behind first swaps the scores; then they get 10 points, and nothing
        else."""
        if self._scores[mover] < self._scores[1 - mover]:
            self._scores = self._scores[::-1]
        self._add_points(mover, 10)
        self._nine_box = True

    def _add_points(self, mover: int, points: int) -> None:
        black, white = self._scores
        self._scores = (black + points, white) if mover == 0 else (black, white + points)

    @property
    def is_over(self) -> bool:
        """RULES N10."""
        black, white = self._scores
        wide_lead = self._lead > 0 and abs(black - white) >= self._lead
        return self._passes == 2 or self._nine_box or wide_lead or not self._empty()

    def scores(self) -> list[int]:
        return list(self._scores)
