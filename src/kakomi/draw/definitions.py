"""The shapes that a drawing uses again and again."""

import xml.etree.ElementTree as ET

from kakomi.draw.board_template import Sheet, add, named
from kakomi.draw.player_style import Livery
from kakomi.draw.shapes import STAR, UNIT, cross, donut, number

_ENGRAVED = {
    "fill": "none",
    "stroke_width": "9",
    "stroke_opacity": ".85",
    "stroke_linejoin": "round",
    "stroke_linecap": "round",
}


def define_pieces(definitions: ET.Element, sheet: Sheet) -> None:
    """Stones, and every sign that can be put on them or beside."""
    for player, livery in enumerate(sheet.liveries):
        _define_stone(definitions, sheet, player, livery)
    radius = sheet.look.stone * UNIT
    last = add(definitions, "g", id=named("last"))
    add(last, "circle", r=number(radius + 1.5), stroke="currentColor", stroke_width="5.5")
    add(last, "circle", r=number(radius + 1.5))
    add(definitions, "circle", id=named("gone"), r=number(radius), stroke_dasharray="4 4")
    draft = add(definitions, "g", id=named("draft"))
    add(draft, "circle", r=number(radius + 2), stroke="currentColor", stroke_width="6")
    add(draft, "circle", r=number(radius + 2), stroke_width="3.4", stroke_dasharray="7.5 4.5")
    add(definitions, "path", id=named("spot"), d=sheet.look.spot.path())
    add(definitions, "circle", id=named("dot"), r="5")
    add(definitions, "circle", id=named("chip"), r="11.5")
    add(definitions, "circle", id=named("share"), r="9")
    add(definitions, "rect", id=named("hint"), x="-18", y="-11.5", width="36", height="23", rx="11.5")
    add(definitions, "path", id=named("ring"), d=donut(0.28, 0.18))
    add(definitions, "path", id=named("cross"), d=cross(0.17, 0.12))
    add(definitions, "path", id=named("square"), d="M-9-9H9V9H-9ZM-5.5-5.5V5.5H5.5V-5.5Z")
    if sheet.cells:
        add(definitions, "path", id=named("cell"), d=STAR.path())
        add(definitions, "path", id=named("cell-ring"), d=donut(1.06, 0.94))
        add(definitions, "path", id=named("cell-hint"), d=donut(0.5, 0.43))


def _define_stone(definitions: ET.Element, sheet: Sheet, player: int, livery: Livery) -> None:
    colours = add(definitions, "radialGradient", id=named(f"colour-{player}"), cx=".37", cy=".3", r=".78")
    for offset, colour in (("0", livery.shine), (".45", livery.body), ("1", livery.shade)):
        add(colours, "stop", offset=offset, stop_color=colour)
    radius = sheet.look.stone * UNIT
    stone = add(definitions, "g", id=named(f"stone-{player}"))
    _draw_stone(stone, radius, player)
    if livery.sign:
        _engrave(stone, livery, f"scale({radius / 100:.3f})")
        numbered = add(definitions, "g", id=named(f"numbered-{player}"))
        _draw_stone(numbered, radius, player)
        aside = f"translate(0 {number(-0.6 * radius)}) scale({radius / 220:.3f})"
        _engrave(numbered, livery, f"scale({radius / 85:.3f})" if livery.is_rim else aside)
    if sheet.cells:
        _define_badge(definitions, named(f"badge-{player}"), livery)


def _draw_stone(parent: ET.Element, radius: float, player: int) -> None:
    add(parent, "circle", cx="1.2", cy="2", r=number(radius), fill_opacity=".28")
    fill = f"url(#{named(f'colour-{player}')})"
    add(parent, "circle", r=number(radius), fill=fill, stroke="currentColor")


def _engrave(parent: ET.Element, livery: Livery, transform: str) -> None:
    add(parent, "path", d=livery.sign, transform=transform, **_ENGRAVED, stroke=livery.engraving)


def _define_badge(definitions: ET.Element, name: str, livery: Livery) -> None:
    """A player's sign by itself, for areas that colour alone would not tell apart."""
    badge = add(definitions, "g", id=name)
    add(badge, "circle", r="9", fill=livery.body, stroke=livery.ink)
    if livery.sign:
        add(badge, "path", d=livery.sign, transform="scale(.1)", **_ENGRAVED, stroke=livery.ink)
