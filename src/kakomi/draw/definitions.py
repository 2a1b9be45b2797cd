"""The shapes that a drawing uses again and again."""

import xml.etree.ElementTree as ET

from kakomi.draw.board_template import BoardTemplate, add, named
from kakomi.draw.player_style import PlayerStyle
from kakomi.draw.shapes import STAR, UNIT, cross, donut, number

_ENGRAVED = {
    "fill": "none",
    "stroke_width": "9",
    "stroke_opacity": ".85",
    "stroke_linejoin": "round",
    "stroke_linecap": "round",
}


def define_pieces(definitions: ET.Element, template: BoardTemplate) -> None:
    """Stones, and every sign that can be put on them or beside."""
    for player, style in enumerate(template.player_styles):
        _define_stone(definitions, template, player, style)
    radius = template.metrics.stone * UNIT
    last = add(definitions, "g", id=named("last"))
    add(last, "circle", r=number(radius + 1.5), stroke="currentColor", stroke_width="5.5")
    add(last, "circle", r=number(radius + 1.5))
    add(definitions, "circle", id=named("gone"), r=number(radius), stroke_dasharray="4 4")
    draft = add(definitions, "g", id=named("draft"))
    add(draft, "circle", r=number(radius + 2), stroke="currentColor", stroke_width="6")
    add(draft, "circle", r=number(radius + 2), stroke_width="3.4", stroke_dasharray="7.5 4.5")
    add(definitions, "path", id=named("spot"), d=template.metrics.spot.path())
    add(definitions, "circle", id=named("dot"), r="5")
    add(definitions, "circle", id=named("chip"), r="11.5")
    add(definitions, "circle", id=named("share"), r="9")
    add(definitions, "rect", id=named("hint"), x="-18", y="-11.5", width="36", height="23", rx="11.5")
    add(definitions, "path", id=named("ring"), d=donut(0.28, 0.18))
    add(definitions, "path", id=named("cross"), d=cross(0.17, 0.12))
    add(definitions, "path", id=named("square"), d="M-9-9H9V9H-9ZM-5.5-5.5V5.5H5.5V-5.5Z")
    if template.cells:
        add(definitions, "path", id=named("cell"), d=STAR.path())
        add(definitions, "path", id=named("cell-ring"), d=donut(1.06, 0.94))
        add(definitions, "path", id=named("cell-hint"), d=donut(0.5, 0.43))


def _define_stone(definitions: ET.Element, template: BoardTemplate, player: int, style: PlayerStyle) -> None:
    colours = add(definitions, "radialGradient", id=named(f"colour-{player}"), cx=".37", cy=".3", r=".78")
    for offset, colour in (("0", style.shine), (".45", style.body), ("1", style.shade)):
        add(colours, "stop", offset=offset, stop_color=colour)
    radius = template.metrics.stone * UNIT
    stone = add(definitions, "g", id=named(f"stone-{player}"))
    _draw_stone(stone, radius, player)
    if style.sign:
        _engrave(stone, style, f"scale({radius / 100:.3f})")
        numbered = add(definitions, "g", id=named(f"numbered-{player}"))
        _draw_stone(numbered, radius, player)
        aside = f"translate(0 {number(-0.6 * radius)}) scale({radius / 220:.3f})"
        _engrave(numbered, style, f"scale({radius / 85:.3f})" if style.is_rim else aside)
    if template.cells:
        _define_badge(definitions, named(f"badge-{player}"), style)


def _draw_stone(parent: ET.Element, radius: float, player: int) -> None:
    add(parent, "circle", cx="1.2", cy="2", r=number(radius), fill_opacity=".28")
    fill = f"url(#{named(f'colour-{player}')})"
    add(parent, "circle", r=number(radius), fill=fill, stroke="currentColor")


def _engrave(parent: ET.Element, style: PlayerStyle, transform: str) -> None:
    add(parent, "path", d=style.sign, transform=transform, **_ENGRAVED, stroke=style.engraving)


def _define_badge(definitions: ET.Element, name: str, style: PlayerStyle) -> None:
    """A player's sign by itself, for areas that colour alone would not tell apart."""
    badge = add(definitions, "g", id=name)
    add(badge, "circle", r="9", fill=style.body, stroke=style.ink)
    if style.sign:
        add(badge, "path", d=style.sign, transform="scale(.1)", **_ENGRAVED, stroke=style.ink)
