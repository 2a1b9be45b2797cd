"""What every board is: named points with neighbours, at places on a plane."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import cached_property

from kakomi.boards.symmetries import BoardSymmetry, Place, board_symmetries, centre_of

Step = tuple[int, int]
"""Rows, then columns, by which a point is further than another in a board's `grid`."""
ORTHOGONAL: tuple[Step, ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""To the neighbours on a square board: to the row before, and on clockwise if rows are numbered downwards."""
EIGHT_AROUND: tuple[Step, ...] = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""The same with those diagonally beside."""
SIX_AROUND: tuple[Step, ...] = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
"""To the neighbours on a hexagon, clockwise from the right."""


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

    `kind` is "square", "hexagon", "honeycomb" or another shape's name, which drawings show as it is; `size`
    is what players call the board's size. Raises ValueError for tables of different lengths, and for labels
    that are not one for each row or column.
    """

    kind: str
    size: int
    names: tuple[str, ...]
    places: tuple[Place, ...]
    neighbours: tuple[tuple[int, ...], ...]
    cells: tuple[Cell, ...] = ()
    rows: tuple[str, ...] = ()
    """What is written beside each row of points, from the top; empty if rows go by their ends' names."""
    columns: tuple[str, ...] = ()
    """What is written above and below each column of points, from the left; empty if nothing is."""

    def __post_init__(self) -> None:
        points = len(self.names)
        if not points or {len(self.places), len(self.neighbours), len(set(self.names))} != {points}:
            raise ValueError("a board needs points, and a name of its own, a place and neighbours for each")
        for what, labels, at in (("rows", self.rows, 1), ("columns", self.columns, 0)):
            lines = _lines(place[at] for place in self.places)
            if labels and len(labels) != lines:
                raise ValueError(f"the board has {lines} {what} of points and {len(labels)} labels for them")

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

    def around(self, steps: Iterable[Step], outside: int) -> list[list[int]]:
        """For each point the points at these steps from it, `outside` where the board has none.

        A step is how many rows and columns further a point lies in `grid`.
        """
        at = {spot: point for point, spot in enumerate(self.grid)}
        steps = tuple(steps)
        return [[at.get((row + up, column + on), outside) for up, on in steps] for row, column in self.grid]

    def reached(self, starts: Iterable[int], passable: Container[int]) -> set[int]:
        """Passable points with a way from one of `starts`, themselves passable, over neighbours that are."""
        waiting = [point for point in starts if point in passable]
        found = set(waiting)
        while waiting:
            beside = {point for point in self.neighbours[waiting.pop()] if point in passable} - found
            found |= beside
            waiting.extend(beside)
        return found

    @property
    def centre(self) -> Place:
        """What the board is turned about."""
        return centre_of(self.places)

    @property
    def turns(self) -> int:
        """How many rotations about the centre map the board onto itself: 1 if only the identity does."""
        return sum(symmetry.is_rotation for symmetry in self._symmetries)

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Every rotation and reflection as a permutation: point p goes to `symmetry[p]`.

        The identity comes first. There are 8 for a square, 12 for a hexagon or honeycomb, 1 for a board
        that looks the same from no other side.
        """
        return tuple(symmetry.points for symmetry in self._symmetries)

    @cached_property
    def cell_symmetries(self) -> tuple[tuple[int, ...], ...]:
        """What the same symmetries, in the same order, do to the cells."""
        return tuple(symmetry.cells for symmetry in self._symmetries)

    @cached_property
    def _symmetries(self) -> list[BoardSymmetry]:
        cells = [(cell.place, cell.points) for cell in self.cells]
        return board_symmetries(self.places, self.neighbours, cells)


def _lines(values: Iterable[float]) -> int:
    """How many rows or columns there are."""
    return len({round(value, 3) for value in values})
