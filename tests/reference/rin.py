"""Rin, straight from its rules (RULES R1 to R7)."""

from collections.abc import Mapping
from functools import cache
from typing import Self

from .common import Lines, Position, check, columns_of, components, side_by_side


@cache
def board_rows(size: int) -> Lines:
    """Rin's own coordinates: row and column, zero-based, from the top left."""
    return [[f"{row},{column}" for column in range(size)] for row in range(size)]


@cache
def board_neighbours(size: int) -> dict[str, set[str]]:
    return side_by_side(board_rows(size))


@cache
def safe_zone(size: int) -> frozenset[str]:
    """The points on the four edges (RULES R2)."""
    rows = board_rows(size)
    columns = columns_of(rows)
    return frozenset(rows[0] + rows[-1] + columns[0] + columns[-1])


class Rin(Position):
    def __init__(self, size: int = 16) -> None:
        check(size % 2 == 0 and 4 <= size <= 18, "the size is even, 4 to 18")
        super().__init__()
        self._neighbours = board_neighbours(size)
        self._points = self._neighbours.keys()
        self._safe_zone = safe_zone(size)
        self._stones_left = 1  # Black begins with a single stone (RULES R1)

    @classmethod
    def arranged(cls, stones: Mapping[str, int], to_move: int, stones_left: int = 2, **options) -> Self:
        """A position in which the player to move still places `stones_left` stones in this turn."""
        position = super().arranged(stones, to_move, **options)
        check(stones_left in (1, 2), "a turn has one or two stones left")
        position._stones_left = stones_left
        return position

    def legal(self) -> set[str]:
        return self._empty()

    def _apply(self, text: str) -> None:
        self._stones[text] = self.to_move
        for inside in self._ring_insides(self.to_move):
            for point in inside:
                self._stones[point] = self.to_move
        self._stones_left -= 1
        if self._stones_left == 0:
            self.to_move = 1 - self.to_move
            self._stones_left = 2

    def _ring_insides(self, mover: int) -> list[set[str]]:
        """The regions without stones of the mover or points of the safe zone (RULES R3)."""
        regions = components(self._not_held_by(mover), self._neighbours)
        return [region for region in regions if not region & self._safe_zone]

    def _not_held_by(self, player: int) -> set[str]:
        return {point for point in self._points if self._stones.get(point) != player}

    @property
    def is_over(self) -> bool:
        return not self._empty()

    def scores(self) -> list[int]:
        return self._stone_counts()

    def alive(self) -> set[str]:
        """The stones that reach the safe zone through own stones and empty points (RULES R6)."""
        return {
            point
            for player in (0, 1)
            for point in self._reaching_safe_zone(self._not_held_by(1 - player))
            if self._stones.get(point) == player
        }

    def immune(self) -> set[str]:
        """The stones that reach the safe zone through own stones alone (RULES R6)."""
        return {
            point
            for player in (0, 1)
            for point in self._reaching_safe_zone({p for p, owner in self._stones.items() if owner == player})
        }

    def _reaching_safe_zone(self, points: set[str]) -> set[str]:
        regions = components(points, self._neighbours)
        return {point for region in regions if region & self._safe_zone for point in region}
