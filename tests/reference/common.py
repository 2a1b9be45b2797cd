"""The common parts of all five references. Points are texts: `d4`, in Rin `3,6`, in Rings `L1`."""

import copy
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from typing import Self

Lines = list[list[str]]


def components(points: Iterable[str], neighbours: Mapping[str, Collection[str]]) -> list[set[str]]:
    """The connected components of `points`."""
    unseen = set(points)
    found = []
    while unseen:
        start = unseen.pop()
        component = {start}
        frontier = [start]
        while frontier:
            for near in neighbours[frontier.pop()]:
                if near in unseen:
                    unseen.remove(near)
                    component.add(near)
                    frontier.append(near)
        found.append(component)
    return found


def lettered_rows(size: int) -> Lines:
    """The rows of a square board: `a1` is bottom left, letters go right and skip none, numbers go up."""
    letters = "abcdefghijklmnopqrs"[:size]
    return [[f"{letter}{number}" for letter in letters] for number in range(1, size + 1)]


def columns_of(rows: Lines) -> Lines:
    return [list(column) for column in zip(*rows, strict=True)]


def side_by_side(rows: Lines) -> dict[str, set[str]]:
    """The neighbours of each point of a square board in its row and column."""
    neighbours: dict[str, set[str]] = {point: set() for row in rows for point in row}
    for line in rows + columns_of(rows):
        for one, other in pairwise(line):
            neighbours[one].add(other)
            neighbours[other].add(one)
    return neighbours


def boxes(rows: Lines, width: int, height: int) -> list[frozenset[str]]:
    """All boxes of a width and height on a square board."""
    return [
        frozenset(point for row in rows[y : y + height] for point in row[x : x + width])
        for y in range(len(rows) - height + 1)
        for x in range(len(rows) - width + 1)
    ]


def check(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


class Position:
    """A position of one game; `play` changes it.

    A game gives `_points`, `legal`, `_apply`, `is_over` and `scores`. Apart from `_stones`, what a
    position holds is replaced and never changed in place, so that a shallow copy is enough.
    """

    players = 2
    _points: Collection[str]

    def __init__(self) -> None:
        self._stones: dict[str, int] = {}
        self.to_move = 0

    @classmethod
    def arranged(cls, stones: Mapping[str, int], to_move: int, **options) -> Self:
        """The position with these stones, at the beginning of a turn of `to_move`."""
        position = cls(**options)
        check(all(point in position._points for point in stones), "no such point")
        check(all(0 <= player < position.players for player in (*stones.values(), to_move)), "no such player")
        position._stones = dict(stones)
        position.to_move = to_move
        return position

    def copy(self) -> Self:
        twin = copy.copy(self)
        twin._stones = dict(self._stones)
        return twin

    def legal(self) -> set[str]:
        """The texts of the legal actions; empty if the game is over."""
        raise NotImplementedError

    def play(self, text: str) -> None:
        assert text in self.legal(), f"{text} is not legal"
        self._apply(text)

    def _apply(self, text: str) -> None:
        """Play a legal action."""
        raise NotImplementedError

    @property
    def is_over(self) -> bool:
        raise NotImplementedError

    def stones(self) -> dict[str, int]:
        return dict(self._stones)

    def scores(self) -> list[int]:
        raise NotImplementedError

    def returns(self) -> list[float]:
        """Each player's return in a finished game: the sum is 0, and winners share equally (RULES,
        Returns)."""
        assert self.is_over, "the game is still running"
        scores = self.scores()
        n, k = len(scores), scores.count(max(scores))
        return [(n / k - 1) / (n - 1) if score == max(scores) else -1 / (n - 1) for score in scores]

    def _empty(self) -> set[str]:
        return {point for point in self._points if point not in self._stones}

    def _stone_counts(self) -> list[int]:
        owners = list(self._stones.values())
        return [owners.count(player) for player in range(self.players)]
