"""What every board is: named points with neighbours, at places on a plane."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

Place = tuple[float, float]
"""x to the right, y downwards; neighbouring points are one unit apart."""


@dataclass(frozen=True)
class Cell:
    """A face of the board that matters to a game, such as a full circle of Rings."""

    name: str
    points: tuple[int, ...]
    place: Place
    neighbours: tuple[int, ...] = ()
    """Cells that share an edge (two points) with this one."""


@dataclass(frozen=True)
class Geometry:
    """A board without stones.

    `kind` is "square", "hexagon" or "honeycomb"; `size` is what players call the board's size.
    `turns` is how many of its rotations about the centre map the board onto itself.
    """

    kind: str
    size: int
    names: tuple[str, ...]
    places: tuple[Place, ...]
    neighbours: tuple[tuple[int, ...], ...]
    turns: int
    cells: tuple[Cell, ...] = ()
    rows: tuple[str, ...] = ()
    """What is written beside each row of points, from the top; empty if rows go by their ends' names."""
    columns: tuple[str, ...] = ()
    """What is written above and below each column of points, from the left; empty if nothing is."""

    @property
    def points(self) -> int:
        """How many points the board has; they are numbered from 0."""
        return len(self.names)

    @cached_property
    def index(self) -> dict[str, int]:
        """Point name -> number."""
        return {name: point for point, name in enumerate(self.names)}

    @cached_property
    def grid(self) -> tuple[tuple[int, int], ...]:
        """Each point's row and column in a rectangle of numbers, from 0, ascending as points do.

        Rows of hexagons are moved sideways, so that neighbours are the same steps apart everywhere. A
        honeycomb becomes a wall of bricks: neighbours are above, below and on one side.
        """
        rows, columns = ({round(place[i], 3) for place in self.places} for i in (1, 0))
        downwards = sorted(rows, reverse=self.places[0][1] > self.places[-1][1])
        rightwards = sorted(columns)
        ranks = [(downwards.index(round(y, 3)), rightwards.index(round(x, 3))) for x, y in self.places]
        match self.kind:
            case "hexagon":
                return tuple((row, (column - row + self.size - 1) // 2) for row, column in ranks)
            case "honeycomb":
                return tuple((row, column // 2) for row, column in ranks)
        return tuple(ranks)

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Every rotation and reflection as a permutation: point p goes to `symmetry[p]`.

        The identity comes first: 8 for a square, 12 for a hexagon or honeycomb.
        """
        return self._permutations(self.places)

    @cached_property
    def cell_symmetries(self) -> tuple[tuple[int, ...], ...]:
        """What the same symmetries, in the same order, do to the cells."""
        return self._permutations([cell.place for cell in self.cells])

    def _permutations(self, places: Sequence[Place]) -> tuple[tuple[int, ...], ...]:
        centre_x = (min(x for x, _ in self.places) + max(x for x, _ in self.places)) / 2
        centre_y = (min(y for _, y in self.places) + max(y for _, y in self.places)) / 2
        centred = [(x - centre_x, y - centre_y) for x, y in places]
        at = {_rounded(place): point for point, place in enumerate(centred)}
        return tuple(
            tuple(at[_rounded(_moved(place, mirror, 2 * math.pi * turn / self.turns))] for place in centred)
            for mirror in (1, -1)
            for turn in range(self.turns)
        )


def _moved(place: Place, mirror: int, angle: float) -> Place:
    x, y = mirror * place[0], place[1]
    return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)


def _rounded(place: Place) -> tuple[int, int]:
    return round(place[0] * 1000), round(place[1] * 1000)
