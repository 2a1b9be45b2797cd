"""Rings, straight from its rules (RULES G1 to G7, G9); seats and resigning belong to the match."""

from functools import cache

from .common import Position, check

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"


@cache
def board_circles(side: int) -> dict[str, frozenset[str]]:
    """The six points of every full circle, by the circle's name (RULES G2).

    The middle column of circles has the two middle letters of those used, and the centre of its first circle
    is in row 2. Each column further out begins one row lower and has one circle less.
    """
    circles = {}
    for column in range(-(side - 1), side):
        left = 2 * side - 1 + 2 * column
        for number in range(2 * side - 1 - abs(column)):
            row = 2 + abs(column) + 2 * number
            a, b, c, d = list(LETTERS[left - 1 : left + 3])
            upper, lower = row - 1, row + 1
            circles[f"{b}{c}{row}"] = frozenset(
                [f"{b}{upper}", f"{c}{upper}", f"{a}{row}", f"{d}{row}", f"{b}{lower}", f"{c}{lower}"]
            )
    return circles


@cache
def board_neighbours(side: int) -> dict[str, list[str]]:
    """The neighbours of each circle, which share two points with it (RULES G4)."""
    circles = board_circles(side)
    return {
        name: [other for other in circles if len(circles[name] & circles[other]) == 2] for name in circles
    }


class Rings(Position):
    def __init__(self, size: int = 6, players: int = 2) -> None:
        check(2 <= size <= 6, "the side is 2 to 6")
        check(2 <= players <= 6, "there are 2 to 6 players")
        super().__init__()
        self.players = players
        self._circles = board_circles(size)
        self._neighbours = board_neighbours(size)
        self._points = frozenset().union(*self._circles.values())
        self._converting = False  # whether the turn is in its second part
        self._passes = 0  # successive turns without a placement

    def legal(self) -> set[str]:
        if self.is_over:
            return set()
        if self._converting:
            return {f"x{circle}" for circle in self._convertible()} | {"end"}
        return self._empty() | {"pass"}

    def _apply(self, text: str) -> None:
        if text == "end":
            self._converting = False
        elif text.startswith("x"):
            self._convert(text[1:])
        elif text == "pass":
            self._passes += 1
            self._converting = True
        else:
            self._stones[text] = self.to_move
            self._passes = 0
            self._converting = True
        if self._converting and not self._convertible():
            self._converting = False  # the turn ends automatically (RULES G5)
        if not self._converting:
            self.to_move = (self.to_move + 1) % self.players

    def rings(self) -> dict[str, int]:
        """The circles that are full of one colour, and their owners (RULES G3)."""
        return {
            circle: player
            for circle, points in self._circles.items()
            for player in range(self.players)
            if all(self._stones.get(point) == player for point in points)
        }

    def majority(self, circle: str, player: int) -> bool:
        return self._has_majority(circle, player, self.rings())

    def _has_majority(self, circle: str, player: int, rings: dict[str, int]) -> bool:
        """RULES G4: whether a player has more influence than all opponents and the empty points together."""
        stones = [self._stones[point] for point in self._circles[circle] if point in self._stones]
        empty = 6 - len(stones)
        influences = stones + [rings[near] for near in self._neighbours[circle] if near in rings]
        own = influences.count(player)
        return own > len(influences) - own + empty

    def _convertible(self) -> set[str]:
        """The circles where the player to act has the majority, and there is a stone to convert."""
        rings = self.rings()
        return {
            circle
            for circle in self._circles
            if self._to_convert(circle, rings) and self._has_majority(circle, self.to_move, rings)
        }

    def _to_convert(self, circle: str, rings: dict[str, int]) -> set[str]:
        """The opposing stones in a circle that aren't protected by a ring."""
        opposing = {
            point for point in self._circles[circle] if self._stones.get(point, self.to_move) != self.to_move
        }
        return {point for point in opposing if not any(point in self._circles[ring] for ring in rings)}

    def _convert(self, circle: str) -> None:
        for point in self._to_convert(circle, self.rings()):
            self._stones[point] = self.to_move

    @property
    def is_over(self) -> bool:
        """Whether all players have passed in succession, including the last one's conversions."""
        return self._passes >= self.players and not self._converting

    def scores(self) -> list[int]:
        """The number of circles in which each player has the majority (RULES G7)."""
        rings = self.rings()
        return [
            sum(self._has_majority(circle, player, rings) for circle in self._circles)
            for player in range(self.players)
        ]
