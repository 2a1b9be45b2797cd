"""Outlines as SVG paths in drawing units, and the sizes of board elements."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kakomi.boards import Place

UNIT = 40
"""The distance of neighbouring points in drawing units."""


def number(value: float) -> str:
    """Format a length, rounded to tenths, as briefly as possible."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def pair(place: Place) -> str:
    """Format a place, given in board units, in drawing units."""
    return f"{number(place[0] * UNIT)},{number(place[1] * UNIT)}"


def shifted(place: Place, by: Place) -> Place:
    """Return a place moved by an offset."""
    return place[0] + by[0], place[1] + by[1]


@lru_cache(maxsize=64)
def around(count: int, radius: float, first: float) -> tuple[Place, ...]:
    """Return places evenly spaced on a circle, clockwise from an angle in degrees (0 is to the right)."""
    angles = [math.radians(first + 360 * step / count) for step in range(count)]
    return tuple((radius * math.cos(angle), radius * math.sin(angle)) for angle in angles)


@dataclass(frozen=True)
class Outline:
    """A closed shape round the origin, with its corners in clockwise order.

    `bend` is the radius of the arcs between corners: positive bulges outwards, negative inwards, and 0 makes
    straight sides.
    """

    corners: tuple[Place, ...]
    bend: float = 0

    def path(self, centre: Place = (0, 0)) -> str:
        """Return the whole outline, moved to a centre."""
        return "M" + "".join(self._sides(centre, range(len(self.corners)))) + "Z"

    def sectors(self, parts: int, centre: Place) -> Iterator[str]:
        """Yield the shape cut into equal sectors, for places that several players tint."""
        sides = len(self.corners)
        for part in range(parts):
            cut = range(part * sides // parts, (part + 1) * sides // parts)
            yield f"M{pair(centre)}L" + "".join(self._sides(centre, cut)) + "Z"

    def _sides(self, centre: Place, sides: Sequence[int]) -> Iterator[str]:
        yield pair(shifted(self.corners[sides[0]], centre))
        for side in sides:
            yield self._to(shifted(self.corners[(side + 1) % len(self.corners)], centre))

    def _to(self, corner: Place) -> str:
        if not self.bend:
            return "L" + pair(corner)
        radius = number(abs(self.bend) * UNIT)
        return f"A{radius} {radius} 0 0 {int(self.bend > 0)} {pair(corner)}"


SQUARE = Outline(around(4, math.sqrt(0.5), -135))
HEXAGON = Outline(around(6, 1 / math.sqrt(3), -90))
DISC = Outline(around(6, 0.5, 0), bend=0.5)
STAR = Outline(around(6, 1, 0), bend=-1)
"""The part of a circle of Rings that its neighbours don't overlap."""


@dataclass(frozen=True)
class Metrics:
    """The measures of one style of points, in board units: neighbouring points are one apart."""

    spot: Outline
    """The part of the board that belongs to a point."""
    stone: float
    """A stone's radius."""
    label: float
    """The distance from the outermost points to the labels."""
    edge: float
    """The distance from the outermost points to the board's edge."""


METRICS: Mapping[str, Metrics] = {
    "intersections": Metrics(SQUARE, stone=0.47, label=0.92, edge=1.35),
    "squares": Metrics(SQUARE, stone=0.4, label=0.85, edge=1.25),
    "hexagons": Metrics(HEXAGON, stone=0.39, label=0.9, edge=1.25),
    "circles": Metrics(DISC, stone=0.38, label=0.8, edge=1.25),
}


def rounded(corners: Sequence[Place], radius: float) -> str:
    """Return the path of a polygon with rounded corners."""
    return "M" + "L".join(_rounded_corners(corners, radius)) + "Z"


def _rounded_corners(corners: Sequence[Place], radius: float) -> Iterator[str]:
    for i, corner in enumerate(corners):
        start = _towards(corner, corners[i - 1], radius)
        end = _towards(corner, corners[(i + 1) % len(corners)], radius)
        yield f"{pair(start)}Q{pair(corner)} {pair(end)}"


def _towards(start: Place, end: Place, distance: float) -> Place:
    share = distance / math.dist(start, end)
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def donut(outer: float, inner: float) -> str:
    """Return the path of an annulus round the origin."""
    return _circle(outer, 1) + _circle(inner, 0)


def _circle(radius: float, sweep: int) -> str:
    r = number(radius * UNIT)
    return f"M0-{r}A{r} {r} 0 1 {sweep} 0 {r}A{r} {r} 0 1 {sweep} 0-{r}Z"


def cross(arm: float, thickness: float) -> str:
    """Return the path of a diagonal cross round the origin."""
    a, t = arm, thickness / 2
    corner = [(t, 0), (a + t, a), (a, a + t), (0, t)]
    turned = [(-y, x) for x, y in corner], [(-x, -y) for x, y in corner], [(y, -x) for x, y in corner]
    places = [*corner, *turned[0][1:], *turned[1][1:], *turned[2][1:-1]]
    return "M" + "L".join(pair(place) for place in places) + "Z"
