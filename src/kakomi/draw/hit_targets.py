"""Invisible targets over points and cells, for pages to hook onto, with arrow keys between them."""

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from kakomi.boards import Geometry
from kakomi.draw.alt_text import Translate, names_of_targets
from kakomi.draw.board_template import HERE, BoardTemplate, clean
from kakomi.draw.scene import Scene

_Row = tuple[float, list[tuple[float, str]]]
"""A height, and the points and cells there from the left."""
_SLOPE = 1.1
"""The largest shift to the side of a step up or down: to a hexagon's neighbours and no further."""
_NEARLY = 1e-6


@lru_cache(maxsize=64)
def plain_targets(template: BoardTemplate) -> str:
    """Targets that say where they are, the same for every drawing of the board."""
    return "\n".join(
        f'<use href="#{HERE}-{_shape(template, name)}" {template.at[name]}'
        f' class="target" {template.hook[name]}>\n'
        f"<title>{clean(name)}</title>\n</use>"
        for name in _in_order(template)
    )


def buttons(scene: Scene, template: BoardTemplate, translate: Translate) -> Iterator[str]:
    """Targets that can be reached by keyboard and are named with what is on them.

    One of them, played last or else in the middle, takes the focus when somebody tabs to the board.
    """
    names, focused = names_of_targets(scene, translate), _focused(scene, template)
    for name, start in starts(template).items():
        action = f' data-action="{clean(scene.legal[name])}"' if name in scene.legal else ""
        tabindex = "0" if name == focused else "-1"
        yield f'{start} aria-label="{clean(names[name])}"{action} tabindex="{tabindex}" />'


def lines_of_buttons(scene: Scene, template: BoardTemplate, translate: Translate) -> list[str]:
    """The changing parts of each button, in the same order: its name and, after a tab, its action."""
    names, legal = names_of_targets(scene, translate), scene.legal
    return [f"{names[name]}\t{legal[name]}" if name in legal else names[name] for name in starts(template)]


def focus(scene: Scene, template: BoardTemplate) -> str:
    """The id, behind the prefix, of the button that takes the focus."""
    return _called(template, _focused(scene, template))


def _focused(scene: Scene, template: BoardTemplate) -> str:
    return next((at for at in reversed(scene.last) if at in template.at), _middle(template))


@lru_cache(maxsize=64)
def starts(template: BoardTemplate) -> dict[str, str]:
    """The parts of each button that are the same in every drawing of the board."""
    ways = arrows(template.geometry)
    return {name: " ".join(_start(template, name, ways[name])) for name in _in_order(template)}


def _start(template: BoardTemplate, name: str, ways: Mapping[str, str]) -> Iterator[str]:
    href = f"#{HERE}-{_shape(template, name)}"
    yield f'<use id="{HERE}-{_called(template, name)}" href="{href}" {template.at[name]}'
    yield f'class="target" role="button" {template.hook[name]}'
    yield from (f'data-{way}="{_called(template, to)}"' for way, to in ways.items())


def _in_order(template: BoardTemplate) -> Iterator[str]:
    """Cells first, so that the points are over them."""
    yield from (cell.name for cell in template.geometry.cells)
    yield from template.geometry.names


def _shape(template: BoardTemplate, name: str) -> str:
    return "cell" if name in template.cells else "spot"


def _called(template: BoardTemplate, name: str) -> str:
    """A target's id behind the prefix."""
    return f"{'cell' if name in template.cells else 'point'}-{clean(name)}"


@lru_cache(maxsize=64)
def _middle(template: BoardTemplate) -> str:
    (left, top), (right, bottom) = template.corners
    middle = (left + right) / 2, (top + bottom) / 2
    return min(template.places, key=lambda name: math.dist(template.places[name], middle))


def arrows(geometry: Geometry) -> dict[str, dict[str, str]]:
    """For each point and cell, by name, the next one "up", "down", "left" and "right" where there is one.

    Left and right stay in a row. Up and down lead to the row beside; where rows are half a step apart
    they go to and fro between the two, so that the way back is the way that one came.
    """
    rows = _rows(geometry)
    found: dict[str, dict[str, str]] = {name: {} for _, row in rows for _, name in row}
    for number, (height, row) in enumerate(rows):
        for (_, left), (_, right) in pairwise(row):
            found[left]["right"], found[right]["left"] = right, left
        above, below = rows[number - 1 :: -1] if number else [], rows[number + 1 :]
        for x, name in row:
            for direction, ahead in (("up", above), ("down", below)):
                if (to := _first(x, height, ahead)) is not None:
                    found[name][direction] = to
    return found


def _rows(geometry: Geometry) -> list[_Row]:
    rows: dict[float, list[tuple[float, str]]] = {}
    points = zip(geometry.names, geometry.places, strict=True)
    for name, (x, y) in (*points, *((cell.name, cell.place) for cell in geometry.cells)):
        rows.setdefault(round(y, 3), []).append((x, name))
    return [(y, sorted(row)) for y, row in sorted(rows.items())]


def _first(x: float, height: float, rows: Iterable[_Row]) -> str | None:
    """The nearest place in the first of the rows that has one not too far to the side."""
    for y, row in rows:
        reach = _SLOPE * abs(y - height)
        near = [
            (round(abs(at - x), 3), _column(at) != _column(x), name)
            for at, name in row
            if abs(at - x) <= reach
        ]
        if near:
            return min(near)[2]
    return None


def _column(x: float) -> int:
    """A column as wide as a step: of two places half a step to either side it holds one."""
    return math.floor(x + _NEARLY)
