"""The geometry of every board: named points with neighbours, at places in the plane."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import cached_property

from kakomi.boards.symmetries import BoardSymmetry, Place, board_symmetries, centre_of

Step = tuple[int, int]
"""The offset from one point to another in a board's `grid`: rows, then columns."""
ORTHOGONAL: tuple[Step, ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""The steps to neighbours on a square board, from the previous row on; clockwise if rows go downwards."""
EIGHT_AROUND: tuple[Step, ...] = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""The same steps with the diagonal ones."""
SIX_AROUND: tuple[Step, ...] = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
"""The steps to neighbours on a hexagon, clockwise from the right."""


@dataclass(frozen=True)
class Cell:
    """A face of the board that is relevant to a game, such as a full circle of Rings."""

    name: str
    points: tuple[int, ...]
    place: Place
    neighbours: tuple[int, ...] = ()
    """The cells that share an edge (two points) with this one."""


@dataclass(frozen=True)
class Geometry:
    """A board without stones.

    `kind` is "square", "hexagon", "honeycomb" or the name of another shape, which drawings show unchanged;
    `size` is the board's size in players' terms. Raises ValueError for tables of different lengths, or if
    the number of labels isn't that of rows or columns.
    """

    kind: str
    size: int
    names: tuple[str, ...]
    places: tuple[Place, ...]
    neighbours: tuple[tuple[int, ...], ...]
    cells: tuple[Cell, ...] = ()
    rows: tuple[str, ...] = ()
    """The label beside each row of points, from the top; empty if rows are labelled by their end points."""
    columns: tuple[str, ...] = ()
    """The label above and below each column of points, from the left; empty for none."""

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
        """The number of points, which are numbered from 0."""
        return len(self.names)

    @cached_property
    def index(self) -> dict[str, int]:
        """Point name -> number."""
        return {name: point for point, name in enumerate(self.names)}

    @cached_property
    def grid(self) -> tuple[tuple[int, int], ...]:
        """Each point's row and column in a rectangular grid, from 0, in the direction of the points' numbers.

        Rows of hexagons are shifted sideways so that the steps to neighbours are the same everywhere. A
        honeycomb becomes a brick wall: neighbours are above, below and on one side.
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
        """Return for each point the points at these steps from it, or `outside` where the board has none.

        Steps are in rows and columns of `grid`.
        """
        at = {spot: point for point, spot in enumerate(self.grid)}
        steps = tuple(steps)
        return [[at.get((row + up, column + on), outside) for up, on in steps] for row, column in self.grid]

    def reached(self, starts: Iterable[int], passable: Container[int]) -> set[int]:
        """Return the passable points connected to passable `starts` through passable neighbours."""
        waiting = [point for point in starts if point in passable]
        found = set(waiting)
        while waiting:
            beside = {point for point in self.neighbours[waiting.pop()] if point in passable} - found
            found |= beside
            waiting.extend(beside)
        return found

    @property
    def centre(self) -> Place:
        """The centre of the board's rotations."""
        return centre_of(self.places)

    @property
    def turns(self) -> int:
        """The number of rotations about the centre that map the board onto itself, including the identity."""
        return sum(symmetry.is_rotation for symmetry in self._symmetries)

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Every rotation and reflection as a permutation: point p goes to `symmetry[p]`.

        The identity comes first. There are 8 for a square, 12 for a hexagon or honeycomb, 1 for a board
        without symmetry.
        """
        return tuple(symmetry.points for symmetry in self._symmetries)

    @cached_property
    def cell_symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The same symmetries, in the same order, as permutations of the cells."""
        return tuple(symmetry.cells for symmetry in self._symmetries)

    @cached_property
    def _symmetries(self) -> list[BoardSymmetry]:
        cells = [(cell.place, cell.points) for cell in self.cells]
        return board_symmetries(self.places, self.neighbours, cells)


def _lines(values: Iterable[float]) -> int:
    """Return the number of rows or columns."""
    return len({round(value, 3) for value in values})
