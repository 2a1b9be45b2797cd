"""Something invisible over every point and cell, for a page to hook onto."""

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache

from kakomi.draw.alt_text import Say, names_of_targets
from kakomi.draw.arrows import arrows
from kakomi.draw.board_template import HERE, Sheet, clean
from kakomi.draw.scene import Scene


@lru_cache(maxsize=64)
def plain_targets(sheet: Sheet) -> str:
    """Targets that say where they are, the same for every drawing of the board."""
    return "\n".join(
        f'<use href="#{HERE}-{_shape(sheet, name)}" {sheet.at[name]} class="target" {sheet.hook[name]}>\n'
        f"<title>{clean(name)}</title>\n</use>"
        for name in _in_order(sheet)
    )


def buttons(scene: Scene, sheet: Sheet, translate: Say) -> Iterator[str]:
    """Targets that can be reached by keyboard and are named with what is on them.

    One of them, played last or else in the middle, takes the focus when somebody tabs to the board.
    """
    names, focused = names_of_targets(scene, translate), _focused(scene, sheet)
    for name, start in starts(sheet).items():
        action = f' data-action="{clean(scene.legal[name])}"' if name in scene.legal else ""
        tabindex = "0" if name == focused else "-1"
        yield f'{start} aria-label="{clean(names[name])}"{action} tabindex="{tabindex}" />'


def lines_of_buttons(scene: Scene, sheet: Sheet, translate: Say) -> Iterator[str]:
    """What changes of each button, in the same order: its name and, after a tab, its action."""
    names, legal = names_of_targets(scene, translate), scene.legal
    for name in starts(sheet):
        yield f"{names[name]}\t{legal[name]}" if name in legal else names[name]


def focus(scene: Scene, sheet: Sheet) -> str:
    """The id, behind the prefix, of the button that takes the focus."""
    return _called(sheet, _focused(scene, sheet))


def _focused(scene: Scene, sheet: Sheet) -> str:
    return next((at for at in reversed(scene.last) if at in sheet.at), _middle(sheet))


@lru_cache(maxsize=64)
def starts(sheet: Sheet) -> dict[str, str]:
    """What of each button is the same for every drawing of the board."""
    ways = arrows(sheet.geometry)
    return {name: " ".join(_start(sheet, name, ways[name])) for name in _in_order(sheet)}


def _start(sheet: Sheet, name: str, ways: Mapping[str, str]) -> Iterator[str]:
    yield f'<use id="{HERE}-{_called(sheet, name)}" href="#{HERE}-{_shape(sheet, name)}" {sheet.at[name]}'
    yield f'class="target" role="button" {sheet.hook[name]}'
    yield from (f'data-{way}="{_called(sheet, to)}"' for way, to in ways.items())


def _in_order(sheet: Sheet) -> Iterator[str]:
    """Cells first, so that the points are over them."""
    yield from (cell.name for cell in sheet.geometry.cells)
    yield from sheet.geometry.names


def _shape(sheet: Sheet, name: str) -> str:
    return "cell" if name in sheet.cells else "spot"


def _called(sheet: Sheet, name: str) -> str:
    """A target's id behind the prefix."""
    return f"{'cell' if name in sheet.cells else 'point'}-{clean(name)}"


@lru_cache(maxsize=64)
def _middle(sheet: Sheet) -> str:
    (left, top), (right, bottom) = sheet.corners
    middle = (left + right) / 2, (top + bottom) / 2
    return min(sheet.places, key=lambda name: math.dist(sheet.places[name], middle))
