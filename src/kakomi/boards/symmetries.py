"""The symmetries of a board of any shape, found from the places of its points."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

Place = tuple[float, float]
"""x to the right, y downwards; neighbouring points are one unit apart."""
Permutation = tuple[int, ...]
"""Number p goes to `permutation[p]`."""
_NEARLY = 1e-4
"""Places closer than this are considered equal."""


@dataclass(frozen=True)
class BoardSymmetry:
    """A rotation or reflection of the plane that maps a board onto itself."""

    points: Permutation
    cells: Permutation
    is_rotation: bool


def board_symmetries(
    places: Sequence[Place],
    neighbours: Sequence[Sequence[int]],
    cells: Sequence[tuple[Place, Sequence[int]]],
) -> list[BoardSymmetry]:
    """Return all symmetries of a board about its centre, the identity first, then rotations by angle.

    Reflections follow: a swap of left and right, combined with rotations by ascending angle. A cell is given
    by its place and its points. Symmetries with the same effect on points and cells are listed once.
    """
    centre = centre_of(places)
    points = _PlaceIndex([_minus(place, centre) for place in places])
    middles = _PlaceIndex([_minus(place, centre) for place, _ in cells])
    corners = [corner for _, corner in cells]
    found: dict[tuple[Permutation, Permutation], BoardSymmetry] = {}
    for move, is_rotation in _candidates(points.places):
        on_points, on_cells = points.permuted(move), middles.permuted(move)
        if on_points is None or on_cells is None:
            continue
        keeps = _keeps(on_points, on_points, neighbours) and _keeps(on_cells, on_points, corners)
        if keeps:
            found.setdefault((on_points, on_cells), BoardSymmetry(on_points, on_cells, is_rotation))
    return list(found.values())


def centre_of(places: Sequence[Place]) -> Place:
    """Return the mean of all places, which every symmetry leaves fixed."""
    xs, ys = zip(*places, strict=True)
    return math.fsum(xs) / len(places), math.fsum(ys) / len(places)


def rotated(place: Place, angle: float) -> Place:
    """Return a place rotated about the origin, clockwise on the drawing, by an angle in radians."""
    cos, sin = math.cos(angle), math.sin(angle)
    return place[0] * cos - place[1] * sin, place[0] * sin + place[1] * cos


def _candidates(places: Sequence[Place]) -> Iterator[tuple[Callable[[Place], Place], bool]]:
    """Yield the isometries that map one outermost point to another, which include all symmetries."""
    radius = max(math.hypot(*place) for place in places)
    outermost = [place for place in places if radius - math.hypot(*place) < _NEARLY]
    for mirror in (1, -1):
        start = mirror * outermost[0][0], outermost[0][1]
        angles = (math.atan2(y, x) - math.atan2(start[1], start[0]) for x, y in outermost)
        for angle in sorted((angle + _NEARLY) % math.tau - _NEARLY for angle in angles):
            yield _isometry(mirror, angle), mirror == 1


def _isometry(mirror: int, angle: float) -> Callable[[Place], Place]:
    return lambda place: rotated((mirror * place[0], place[1]), angle)


class _PlaceIndex:
    """Looks up the numbers of places."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.places = places
        self._numbers = {_rounded(place): number for number, place in enumerate(places)}

    def permuted(self, move: Callable[[Place], Place]) -> Permutation | None:
        """Return the permutation of places by an isometry; None if a place isn't mapped to a place."""
        targets = []
        for place in self.places:
            target = self._number(move(place))
            if target is None:
                return None
            targets.append(target)
        return tuple(targets)

    def _number(self, place: Place) -> int | None:
        """Return the number of a place; also look beyond the next rounding boundary."""
        x, y = place
        for dx in (0, _NEARLY, -_NEARLY):
            for dy in (0, _NEARLY, -_NEARLY):
                if (number := self._numbers.get(_rounded((x + dx, y + dy)))) is not None:
                    return number
        return None


def _keeps(on_things: Permutation, on_points: Permutation, points_of: Sequence[Sequence[int]]) -> bool:
    """Whether the points of each item are mapped to the points of its image."""
    return all(
        {on_points[point] for point in points} == set(points_of[on_things[number]])
        for number, points in enumerate(points_of)
    )


def _minus(place: Place, centre: Place) -> Place:
    return place[0] - centre[0], place[1] - centre[1]


def _rounded(place: Place) -> tuple[int, int]:
    return round(place[0] * 1000), round(place[1] * 1000)
