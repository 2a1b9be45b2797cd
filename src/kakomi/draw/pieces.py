"""Everything on the board: stones, what was played last, what can be played, marks, targets."""

import xml.etree.ElementTree as ET
from collections import defaultdict

from kakomi.draw.livery import Livery
from kakomi.draw.scene import Mark
from kakomi.draw.shapes import STAR, UNIT, cross, donut, number
from kakomi.draw.sheet import Sheet, add, write

_MARK_FONT = 15
_ENGRAVED = {
    "fill": "none",
    "stroke_width": "9",
    "stroke_opacity": ".85",
    "stroke_linejoin": "round",
    "stroke_linecap": "round",
}


def define_pieces(definitions: ET.Element, sheet: Sheet) -> None:
    """The shapes that the drawing uses again and again."""
    for player, livery in enumerate(sheet.liveries):
        _define_stone(definitions, sheet, player, livery)
    radius = sheet.look.stone * UNIT
    last = add(definitions, "g", id=sheet.id("last"))
    add(last, "circle", r=number(radius + 1.5), stroke="currentColor", stroke_width="5.5")
    add(last, "circle", r=number(radius + 1.5))
    add(definitions, "circle", id=sheet.id("gone"), r=number(radius), stroke_dasharray="4 4")
    add(definitions, "path", id=sheet.id("spot"), d=sheet.look.spot.path())
    add(definitions, "circle", id=sheet.id("dot"), r="5")
    add(definitions, "circle", id=sheet.id("chip"), r="11.5")
    add(definitions, "path", id=sheet.id("ring"), d=donut(0.28, 0.18))
    add(definitions, "path", id=sheet.id("cross"), d=cross(0.17, 0.12))
    add(definitions, "path", id=sheet.id("square"), d="M-9-9H9V9H-9ZM-5.5-5.5V5.5H5.5V-5.5Z")
    if sheet.cells:
        add(definitions, "path", id=sheet.id("cell"), d=STAR.path())
        add(definitions, "path", id=sheet.id("cell-ring"), d=donut(1.06, 0.94))
        add(definitions, "path", id=sheet.id("cell-hint"), d=donut(0.5, 0.43))


def _define_stone(definitions: ET.Element, sheet: Sheet, player: int, livery: Livery) -> None:
    colours = add(definitions, "radialGradient", id=sheet.id(f"colour-{player}"), cx=".37", cy=".3", r=".78")
    for offset, colour in (("0", livery.shine), (".45", livery.body), ("1", livery.shade)):
        add(colours, "stop", offset=offset, stop_color=colour)
    radius = number(sheet.look.stone * UNIT)
    stone = add(definitions, "g", id=sheet.id(f"stone-{player}"))
    add(stone, "circle", cx="1.2", cy="2", r=radius, fill_opacity=".28")
    add(stone, "circle", r=radius, fill=f"url(#{sheet.id(f'colour-{player}')})", stroke="currentColor")
    if livery.sign:
        scale = f"scale({sheet.look.stone * UNIT / 100:.3f})"
        add(stone, "path", d=livery.sign, transform=scale, **_ENGRAVED, stroke=livery.engraving)
    if sheet.cells:
        _define_badge(definitions, sheet.id(f"badge-{player}"), livery)


def _define_badge(definitions: ET.Element, name: str, livery: Livery) -> None:
    """A player's sign by itself, for areas that colour alone would not tell apart."""
    badge = add(definitions, "g", id=name)
    add(badge, "circle", r="9", fill=livery.body, stroke=livery.ink)
    if livery.sign:
        add(badge, "path", d=livery.sign, transform="scale(.1)", **_ENGRAVED, stroke=livery.ink)


def draw_areas(parent: ET.Element, sheet: Sheet) -> None:
    """Places tinted in players' colours, under the lines."""
    group = add(parent, "g", cls="areas")
    areas: dict[str, list[int | None]] = defaultdict(list)
    for mark in _marks(sheet):
        if mark.kind == "area" and mark.player not in areas[mark.at]:
            areas[mark.at].append(mark.player)
    for at, players in areas.items():
        _draw_area(group, sheet, at, ["tint" if player is None else f"tint-{player}" for player in players])


def _draw_area(group: ET.Element, sheet: Sheet, at: str, tints: list[str]) -> None:
    if len(tints) == 1:
        sheet.use(group, "cell" if at in sheet.cells else "spot", at, cls=tints[0])
        return
    outline = STAR if at in sheet.cells else sheet.look.spot
    for tint, sector in zip(tints, outline.sectors(len(tints), sheet.places[at]), strict=True):
        add(group, "path", cls=tint, d=sector)


def draw_circles(parent: ET.Element, sheet: Sheet) -> None:
    """What overlays say of circles, on the lines and under the stones: rings, and whose an area is."""
    group = add(parent, "g", cls="circles")
    for mark in _marks(sheet):
        if mark.at not in sheet.cells:
            continue
        if mark.kind == "ring":
            sheet.use(group, "cell-ring", mark.at, cls=f"mark {_voice(sheet, mark)}")
        elif mark.kind == "area" and mark.player is not None:
            sheet.use(group, f"badge-{mark.player}", mark.at)


def draw_stones(parent: ET.Element, sheet: Sheet) -> None:
    """Each stone, with its point and its player's class."""
    group = add(parent, "g", cls="stones")
    for name in sheet.geometry.names:
        player = sheet.scene.stones.get(name)
        if player is not None:
            sheet.use(group, f"stone-{player}", name, cls=f"stone player-{player}", data_point=name)


def draw_last(parent: ET.Element, sheet: Sheet) -> None:
    """Rings round the stones and cells played last; a broken one where a stone is gone."""
    group = add(parent, "g", cls="lasts")
    there = sheet.cells | sheet.scene.stones.keys()
    for at in dict.fromkeys(sheet.scene.last):
        sheet.use(group, "last" if at in there else "gone", at)


def draw_marks(parent: ET.Element, sheet: Sheet) -> None:
    """The small signs of the overlays."""
    group = add(parent, "g", cls="marks")
    for mark in _marks(sheet):
        if mark.kind == "text":
            _write_mark(group, sheet, mark)
        elif mark.kind != "area" and not (mark.kind == "ring" and mark.at in sheet.cells):
            sheet.use(group, mark.kind, mark.at, cls=f"mark {_voice(sheet, mark)}")


def _write_mark(group: ET.Element, sheet: Sheet, mark: Mark) -> None:
    """Text inked onto its player's own stone, else onto a chip in the player's colour."""
    voice = _voice(sheet, mark)
    if mark.player is not None and voice == f"of-{mark.player}":
        sheet.use(group, "chip", mark.at, cls=f"mark {voice}")
        voice = f"on-{mark.player}"
    size = _MARK_FONT if len(mark.text) < 3 else 2.4 * _MARK_FONT / len(mark.text)
    write(group, mark.text, sheet.places[mark.at], size, cls=f"written {voice}", font_size=number(size))


def draw_hints(parent: ET.Element, sheet: Sheet) -> None:
    """Where an action is possible."""
    group = add(parent, "g", cls="hints")
    mover = sheet.scene.to_move
    voice = "mark plain" if mover is None else f"mark of-{mover}"
    for at in dict.fromkeys(sheet.scene.legal):
        sheet.use(group, "cell-hint" if at in sheet.cells else "dot", at, cls=voice)


def draw_targets(parent: ET.Element, sheet: Sheet) -> None:
    """Something invisible over every point and cell, for a page to hook onto."""
    group = add(parent, "g", cls="targets")
    for cell in sheet.geometry.cells:
        target = sheet.use(group, "cell", cell.name, cls="target", data_cell=cell.name)
        add(target, "title").text = cell.name
    for name in sheet.geometry.names:
        target = sheet.use(group, "spot", name, cls="target", data_point=name)
        add(target, "title").text = name


def _marks(sheet: Sheet) -> list[Mark]:
    return [mark for overlay in sheet.scene.overlays for mark in overlay.marks]


def _voice(sheet: Sheet, mark: Mark) -> str:
    """A class that makes the mark legible: inked onto its player's own stone, else in their colour."""
    stone = sheet.scene.stones.get(mark.at)
    if stone is not None and mark.player in (None, stone):
        return f"on-{stone}"
    return "plain" if mark.player is None else f"of-{mark.player}"
