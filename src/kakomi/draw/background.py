"""The board without stones: material, lines, circles, coordinates."""

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from kakomi.boards import Cell, Place
from kakomi.draw.board_template import BoardTemplate, add, named
from kakomi.draw.rotation import levels, row_ends
from kakomi.draw.shapes import UNIT, around, number, pair, rounded, shifted

_GOLDEN = (math.sqrt(5) - 1) / 2
_TO_CORNER = 2 / math.sqrt(3)
"""The ratio of a hexagon's circumradius to its inradius."""


def draw_panel(parent: ET.Element, template: BoardTemplate) -> None:
    """Draw the board's material, and its cells if it has any."""
    panel = _panel(template)
    add(parent, "path", cls="panel", d=panel, fill=f"url(#{named('ground')})")
    if template.material == "wood":
        add(parent, "path", d=panel, fill=f"url(#{named('wood')})")
    if template.points in ("squares", "hexagons"):
        add(parent, "path", cls="cells", d=_spots(template))


def draw_lines(parent: ET.Element, template: BoardTemplate) -> None:
    """Draw lines or circles, markers and coordinates."""
    _LINES[template.points](parent, template)
    for name in template.markers:
        x, y = template.places[name]
        add(parent, "circle", cls="marker", cx=number(x * UNIT), cy=number(y * UNIT), r="4")
    _draw_labels(parent, template)


def define_ground(definitions: ET.Element, template: BoardTemplate) -> None:
    """Define the board's material: a shade from above, and the grain of wood."""
    shade = add(definitions, "linearGradient", id=named("ground"), x1="0", y1="0", x2=".3", y2="1")
    for offset, tone in (("0", "high"), ("1", "low")):
        add(shade, "stop", offset=offset, cls=tone)
    if template.material == "wood":
        _define_grain(definitions, template)


def frame(template: BoardTemplate) -> tuple[Place, Place]:
    """Return the upper left corner of the whole drawing, and its width and height."""
    (left, top), (right, bottom) = template.corners
    edge = template.metrics.edge
    sides = edge * _TO_CORNER if template.geometry.kind == "hexagon" else edge
    return (left - sides, top - edge), (right - left + 2 * sides, bottom - top + 2 * edge)


def _panel(template: BoardTemplate) -> str:
    (left, top), (width, height) = frame(template)
    if template.geometry.kind == "hexagon":
        centre = left + width / 2, top + height / 2
        return rounded([shifted(corner, centre) for corner in around(6, width / 2, 0)], 0.4)
    right, bottom = left + width, top + height
    return rounded([(left, top), (right, top), (right, bottom), (left, bottom)], 0.3)


def _define_grain(definitions: ET.Element, template: BoardTemplate) -> None:
    (left, top), (width, height) = frame(template)
    box = _box(left, top, width, height)
    pattern = add(definitions, "pattern", id=named("wood"), patternUnits="userSpaceOnUse", **box)
    for thickness, every in (("1", 0.31), ("2.2", 0.83)):
        add(pattern, "path", cls="grain", d="".join(_grain(width, height, every)), stroke_width=thickness)


def _grain(width: float, height: float, every: float) -> Iterator[str]:
    """Yield wavering lines across the board, varied by the golden ratio so that no two look alike."""
    for line in range(int(height / every)):
        chance = [(line + 1) * _GOLDEN * k % 1 for k in (1, 2, 3)]
        y = (line + chance[0]) * every
        bends = (y + 0.5 * chance[1] - 0.2, y - 0.5 * chance[2] + 0.2)
        ends = f"{pair((width / 3, bends[0]))} {pair((2 * width / 3, bends[1]))} {pair((width, y + 0.1))}"
        yield f"M{pair((0, y))}C{ends}"


def _spots(template: BoardTemplate) -> str:
    return "".join(template.metrics.spot.path(place) for place in template.geometry.places)


def _draw_intersections(parent: ET.Element, template: BoardTemplate) -> None:
    (left, top), (right, bottom) = template.corners
    if _fills_rectangle(template):
        _draw_grid(parent, (left, right), (top, bottom))
    else:
        add(parent, "path", cls="lines", d="".join(_lines_between_neighbours(template)))


def _draw_squares(parent: ET.Element, template: BoardTemplate) -> None:
    (left, top), (right, bottom) = template.corners
    if _fills_rectangle(template):
        _draw_grid(parent, (left - 0.5, right + 0.5), (top - 0.5, bottom + 0.5))
    else:
        _draw_outlines(parent, template)


def _fills_rectangle(template: BoardTemplate) -> bool:
    """Whether the points form a full rectangular grid."""
    (left, top), (right, bottom) = template.corners
    columns, rows = round(right - left) + 1, round(bottom - top) + 1
    whole = all(math.isclose(x, round(x), abs_tol=1e-3) for x in (right - left, bottom - top))
    return whole and columns * rows == template.geometry.points


def _lines_between_neighbours(template: BoardTemplate) -> Iterator[str]:
    places = template.geometry.places
    for point, neighbours in enumerate(template.geometry.neighbours):
        for other in neighbours:
            if point < other:
                yield f"M{pair(places[point])}L{pair(places[other])}"


def _draw_grid(parent: ET.Element, across: tuple[float, float], down: tuple[float, float]) -> None:
    """Draw lines one unit apart, the outermost ones stronger."""
    columns, rows = round(across[1] - across[0]), round(down[1] - down[0])
    lines = [f"M{pair((across[0] + c, down[0]))}V{number(down[1] * UNIT)}" for c in range(1, columns)]
    lines += [f"M{pair((across[0], down[0] + r))}H{number(across[1] * UNIT)}" for r in range(1, rows)]
    add(parent, "path", cls="lines", d="".join(lines))
    add(parent, "rect", cls="frame", **_box(across[0], down[0], columns, rows))


def _box(left: float, top: float, width: float, height: float) -> dict[str, str]:
    """Return the attributes of a rectangle."""
    lengths = {"x": left, "y": top, "width": width, "height": height}
    return {name: number(length * UNIT) for name, length in lengths.items()}


def _draw_outlines(parent: ET.Element, template: BoardTemplate) -> None:
    add(parent, "path", cls="lines", d=_spots(template))


def _draw_circles(parent: ET.Element, template: BoardTemplate) -> None:
    add(parent, "path", cls="arcs", d="".join(_partial_circles(template)))
    for cell in template.geometry.cells:
        x, y = cell.place
        add(parent, "circle", cls="circle", cx=number(x * UNIT), cy=number(y * UNIT), r=str(UNIT))


def _partial_circles(template: BoardTemplate) -> Iterator[str]:
    """Yield the arcs on the board of circles whose centres are off it."""
    sides: dict[tuple[int, int], list[Cell]] = {}
    for cell in template.geometry.cells:
        for start, end in combinations(cell.points, 2):
            if end in template.geometry.neighbours[start]:
                sides.setdefault((start, end), []).append(cell)
    places = template.geometry.places
    for (start, end), cells in sides.items():
        if len(cells) == 1:
            yield _arc_inwards(places[start], places[end], cells[0].place)


def _arc_inwards(start: Place, end: Place, middle: Place) -> str:
    """Return an arc that bulges towards the centre of the neighbouring full circle."""
    turn = (end[0] - start[0]) * (middle[1] - start[1]) - (end[1] - start[1]) * (middle[0] - start[0])
    return f"M{pair(start)}A{UNIT} {UNIT} 0 0 {int(turn < 0)} {pair(end)}"


_LINES: Mapping[str, Callable[[ET.Element, BoardTemplate], None]] = {
    "intersections": _draw_intersections,
    "squares": _draw_squares,
    "hexagons": _draw_outlines,
    "circles": _draw_circles,
}


def _draw_labels(parent: ET.Element, template: BoardTemplate) -> None:
    # Pages need the board's size to limit the size of the labels on the screen (`theme.py`).
    size = number(min(frame(template)[1]) * UNIT)
    group = add(parent, "g", cls="labels", aria_hidden="true", font_size=size)
    for text, (x, y) in _labels(template):
        add(group, "text", x=number(x * UNIT), y=number(y * UNIT), dy=".35em", cls="label").text = text


def _labels(template: BoardTemplate) -> Iterator[tuple[str, Place]]:
    geometry, away = template.geometry, template.metrics.label
    (left, top), (right, bottom) = template.corners
    if not geometry.rows:
        yield from _row_ends(template)
    for text, y in zip(geometry.rows, levels(y for _, y in geometry.places), strict=False):
        yield text, (left - away, y)
        yield text, (right + away, y)
    for text, x in zip(geometry.columns, levels(x for x, _ in geometry.places), strict=False):
        yield text, (x, top - away)
        yield text, (x, bottom + away)


def _row_ends(template: BoardTemplate) -> Iterator[tuple[str, Place]]:
    """Yield the names of each row's first and last point, as labels of rows that have none."""
    for names in row_ends(template.geometry):
        for name, away in zip(names, (-template.metrics.label, template.metrics.label), strict=True):
            x, y = template.places[name]
            yield name, (x + away, y)
