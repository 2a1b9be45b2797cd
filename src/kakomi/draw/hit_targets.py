"""Invisible targets over points and cells, for a page's script, with navigation by arrow keys."""

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from kakomi.boards import Geometry
from kakomi.draw.alt_text import Translate, names_of_targets
from kakomi.draw.board_template import ID_PREFIX, BoardTemplate, clean
from kakomi.draw.scene import Scene

_Row = tuple[float, list[tuple[float, str]]]
"""A y coordinate, and the points and cells there from the left, each with its x coordinate."""
_SLOPE = 1.1
"""The maximum sideways shift of a step up or down: enough to reach a hexagon's neighbours, no further."""
_NEARLY = 1e-6


@lru_cache(maxsize=64)
def plain_targets(template: BoardTemplate) -> str:
    """Return targets titled with their name, the same for every drawing of the board."""
    return "\n".join(
        f'<use href="#{ID_PREFIX}-{_shape(template, name)}" {template.at[name]}'
        f' class="target" {template.hook[name]}>\n'
        f"<title>{clean(name)}</title>\n</use>"
        for name in _in_order(template)
    )


def buttons(scene: Scene, template: BoardTemplate, translate: Translate) -> Iterator[str]:
    """Yield targets that are reachable by keyboard and named with their content.

    The place played last, or else the middle of the board, receives the focus when a user tabs to the board.
    """
    names, focused = names_of_targets(scene, translate), _focused(scene, template)
    for name, start in starts(template).items():
        action = f' data-action="{clean(scene.legal[name])}"' if name in scene.legal else ""
        tabindex = "0" if name == focused else "-1"
        yield f'{start} aria-label="{clean(names[name])}"{action} tabindex="{tabindex}" />'


def lines_of_buttons(scene: Scene, template: BoardTemplate, translate: Translate) -> list[str]:
    """Return the variable parts of each button, in order: its name and, after a tab, its action."""
    names, legal = names_of_targets(scene, translate), scene.legal
    return [f"{names[name]}\t{legal[name]}" if name in legal else names[name] for name in starts(template)]


def focus(scene: Scene, template: BoardTemplate) -> str:
    """Return the id, without the prefix, of the button that receives the focus."""
    return _target_id(template, _focused(scene, template))


def _focused(scene: Scene, template: BoardTemplate) -> str:
    return next((at for at in reversed(scene.last) if at in template.at), _middle(template))


@lru_cache(maxsize=64)
def starts(template: BoardTemplate) -> dict[str, str]:
    """Return the part of each button that is the same in every drawing of the board."""
    ways = arrows(template.geometry)
    return {name: " ".join(_start(template, name, ways[name])) for name in _in_order(template)}


def _start(template: BoardTemplate, name: str, ways: Mapping[str, str]) -> Iterator[str]:
    href = f"#{ID_PREFIX}-{_shape(template, name)}"
    yield f'<use id="{ID_PREFIX}-{_target_id(template, name)}" href="{href}" {template.at[name]}'
    yield f'class="target" role="button" {template.hook[name]}'
    yield from (f'data-{way}="{_target_id(template, to)}"' for way, to in ways.items())


def _in_order(template: BoardTemplate) -> Iterator[str]:
    """Yield cells first, so that points are above them."""
    yield from (cell.name for cell in template.geometry.cells)
    yield from template.geometry.names


def _shape(template: BoardTemplate, name: str) -> str:
    return "cell" if name in template.cells else "spot"


def _target_id(template: BoardTemplate, name: str) -> str:
    """Return a target's id without the prefix."""
    return f"{'cell' if name in template.cells else 'point'}-{clean(name)}"


@lru_cache(maxsize=64)
def _middle(template: BoardTemplate) -> str:
    (left, top), (right, bottom) = template.corners
    middle = (left + right) / 2, (top + bottom) / 2
    return min(template.places, key=lambda name: math.dist(template.places[name], middle))


def arrows(geometry: Geometry) -> dict[str, dict[str, str]]:
    """Return the next point or cell "up", "down", "left" and "right" of each one, by name, if there is one.

    Left and right stay in a row. Up and down lead to the adjacent row. Where rows are offset by half a step,
    they alternate sides, so that going back retraces the way.
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
    """Return the nearest place in the first row that has one within reach sideways."""
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
    """Return the number of a one-step-wide column; it separates two places half a step to either side."""
    return math.floor(x + _NEARLY)
