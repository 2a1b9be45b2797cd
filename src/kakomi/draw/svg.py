"""Drawings as SVG documents."""

import re
import xml.etree.ElementTree as ET
import zlib

from kakomi.draw import words
from kakomi.draw.pieces import (
    define_pieces,
    draw_areas,
    draw_circles,
    draw_hints,
    draw_last,
    draw_marks,
    draw_stones,
    draw_targets,
)
from kakomi.draw.scene import Scene
from kakomi.draw.shapes import UNIT, number
from kakomi.draw.sheet import Sheet, add
from kakomi.draw.surface import define_ground, draw_lines, draw_panel, frame
from kakomi.draw.theme import stylesheet

_WIDEST = 640
"""Pixels; a page may show the drawing at any other size."""
_LAYERS = (
    draw_panel,
    draw_areas,
    draw_lines,
    draw_circles,
    draw_stones,
    draw_last,
    draw_marks,
    draw_hints,
    draw_targets,
)
"""From the bottom to the top."""


def draw_svg(scene: Scene, theme: str = "auto", prefix: str = "") -> str:
    """The scene as an SVG document, the same for the same scene.

    `theme` is "light", "dark" or "auto" (what the viewer prefers). All ids start with `prefix`, and
    the style applies inside the drawing only, so that several drawings can share a page; by default
    the prefix follows from what is drawn. Elements with `data-point` (and `data-cell`) over every
    point (and cell) are there for a page to hook onto.

    Raises ValueError for an unknown theme, a prefix that is no XML name, or more than six players.
    """
    if prefix and not re.fullmatch(r"[A-Za-z][\w-]*", prefix, re.ASCII):
        raise ValueError(f"prefix {prefix!r}: it starts with a letter, then has letters, digits, - and _")
    sheet = Sheet(scene, prefix or _fingerprint(scene, theme))
    style = stylesheet(theme, scene.style.material, sheet.prefix, sheet.liveries)
    root = _root(sheet)
    add(root, "title", id=sheet.id("title")).text = words.title(scene)
    add(root, "desc", id=sheet.id("desc")).text = words.description(scene)
    add(root, "style").text = style
    definitions = add(root, "defs")
    define_ground(definitions, sheet)
    define_pieces(definitions, sheet)
    for draw in _LAYERS:
        draw(root, sheet)
    ET.indent(root, space="")
    return ET.tostring(root, encoding="unicode") + "\n"


def _root(sheet: Sheet) -> ET.Element:
    corner, size = frame(sheet)
    margin = 2 / UNIT
    box = (corner[0] - margin, corner[1] - margin, size[0] + 2 * margin, size[1] + 2 * margin)
    shrink = min(1, _WIDEST / UNIT / max(box[2:]))
    root = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", id=sheet.prefix, role="img")
    root.set("viewBox", " ".join(number(length * UNIT) for length in box))
    root.set("width", str(round(box[2] * UNIT * shrink)))
    root.set("height", str(round(box[3] * UNIT * shrink)))
    root.set("aria-labelledby", f"{sheet.id('title')} {sheet.id('desc')}")
    return root


def _fingerprint(scene: Scene, theme: str) -> str:
    """A prefix that only drawings of the same things share."""
    shown = (words.title(scene), words.description(scene), scene.style, scene.legal, scene.overlays, theme)
    return f"board-{zlib.crc32(repr(shown).encode()):08x}"
