"""The changing layers of a board: stones, last and legal actions, marks, numbers, hints.

Layers are built as text, not as XML trees, because every action redraws them.
"""

import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterator

from kakomi.draw.board_template import ID_PREFIX, BoardTemplate, add, clean, coordinates, named
from kakomi.draw.player_style import PlayerStyle
from kakomi.draw.scene import Mark, Scene
from kakomi.draw.shapes import STAR, UNIT, around, cross, donut, number, shifted

_ENGRAVED = {
    "fill": "none",
    "stroke_width": "9",
    "stroke_opacity": ".85",
    "stroke_linejoin": "round",
    "stroke_linecap": "round",
}


def define_pieces(definitions: ET.Element, template: BoardTemplate) -> None:
    """Define stones and all signs on or beside them."""
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
    at = {"cx": ".37", "cy": ".3", "r": ".78"}
    colours = add(
        definitions, "radialGradient", id=named(f"colour-{player}"), cls=f"stone-{style.name}", **at
    )
    for offset, tone in (("0", "shine"), (".45", "body"), ("1", "shade")):
        add(colours, "stop", offset=offset, cls=tone, stop_color=getattr(style, tone))
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
    """Define a player's sign without a stone, for areas that colour alone doesn't distinguish."""
    badge = add(definitions, "g", id=name)
    add(badge, "circle", r="9", fill=style.body, stroke=style.ink)
    if style.sign:
        add(badge, "path", d=style.sign, transform="scale(.1)", **_ENGRAVED, stroke=style.ink)


_MARK_FONT = 15
_NUMBER_FONT = 14
_HINT_FONT = 12
_WARMEST = 0.85
"""The opacity of a heat mark of full strength."""
_SHARE = 0.37
"""The distance from a cell's middle to the texts of several players there."""


def areas(scene: Scene, template: BoardTemplate) -> Iterator[str]:
    """Yield places tinted in players' colours, below the lines."""
    players_at: dict[str, list[int | None]] = defaultdict(list)
    for mark in _marks(scene):
        if mark.kind == "area" and mark.player not in players_at[mark.at]:
            players_at[mark.at].append(mark.player)
    for at, players in players_at.items():
        tints = ["tint" if player is None else _player_class("tint", template, player) for player in players]
        yield from _area(template, at, tints)
    yield from (_heat(template, mark) for mark in _marks(scene) if mark.kind == "heat")


def _heat(template: BoardTemplate, mark: Mark) -> str:
    """Return a place tinted by a mark's strength, as an opacity attribute that no style overrides."""
    shape = "cell" if mark.at in template.cells else "spot"
    tint = "heat" if mark.player is None else _player_class("heat", template, mark.player)
    opacity = f"{_WARMEST * min(1.0, max(0.0, mark.strength)):.2f}"
    return (
        f'<use href="#{ID_PREFIX}-{shape}" {template.at[mark.at]} class="{tint}" fill-opacity="{opacity}" />'
    )


def _area(template: BoardTemplate, at: str, tints: list[str]) -> Iterator[str]:
    if len(tints) == 1:
        yield _use(template, "cell" if at in template.cells else "spot", at, tints[0])
        return
    outline = STAR if at in template.cells else template.metrics.spot
    for tint, sector in zip(tints, outline.sectors(len(tints), template.places[at]), strict=True):
        yield f'<path class="{tint}" d="{sector}" />'


def circles(scene: Scene, template: BoardTemplate) -> Iterator[str]:
    """Yield the marks of circles, above the lines and below the stones: rings and players' badges."""
    written = {mark.at for mark in _marks(scene) if mark.kind == "text"}
    for mark in _marks(scene):
        if mark.at not in template.cells:
            continue
        if mark.kind == "ring":
            yield _use(template, "cell-ring", mark.at, f"mark {_mark_class(scene, template, mark)}")
        elif mark.kind == "area" and mark.player is not None and mark.at not in written:
            yield f'<use href="#{ID_PREFIX}-badge-{mark.player}" {template.at[mark.at]} />'


def stones(scene: Scene, template: BoardTemplate) -> Iterator[str]:
    """Yield each stone with its point and its player's class; stones of an unconfirmed turn are paler."""
    draft, numbered = frozenset(scene.draft), _numbered(scene)
    for name in template.geometry.names:
        player = scene.owners.get(name)
        if player is None:
            continue
        written = name in numbered or name in scene.kinds
        shape = "numbered" if written and template.player_styles[player].sign else "stone"
        pale = ' opacity=".75"' if name in draft else ""
        yield (
            f'<use href="#{ID_PREFIX}-{shape}-{player}" {template.at[name]} class="stone player-{player}"'
            f" {template.hook[name]}{pale} />"
        )
        if name in scene.kinds:
            yield _kind(scene, template, name, aside=name in numbered)


def _kind(scene: Scene, template: BoardTemplate, at: str, *, aside: bool) -> str:
    """Write the letter of a piece's kind, styled like a number, or smaller beside a number."""
    owner, (x, y) = scene.owners[at], template.places[at]
    away = 0.5 * template.metrics.stone
    place = (x - away, y - away) if aside else (x, y + _below_engraving(template, owner))
    size = 0.7 * _NUMBER_FONT if aside else _NUMBER_FONT
    return _write(scene.kind_letter(at), place, size, f"number {_player_class('on', template, owner)}")


def _below_engraving(template: BoardTemplate, player: int) -> float:
    """Return the distance of text below a stone's middle, which keeps it clear of the engraving."""
    style = template.player_styles[player]
    return 0.22 * template.metrics.stone if style.sign and not style.is_rim else 0


def lasts(scene: Scene, template: BoardTemplate) -> Iterator[str]:
    """Yield rings round the stones and cells played last; a dashed one where a stone was removed."""
    there, draft = template.cells | scene.stones.keys(), frozenset(scene.draft)
    for at in dict.fromkeys(scene.last):
        if at not in draft:
            yield f'<use href="#{ID_PREFIX}-{"last" if at in there else "gone"}" {template.at[at]} />'


def drafts(scene: Scene, template: BoardTemplate) -> Iterator[str]:
    """Yield dashed rings round unconfirmed actions, with a cross where a stone is removed."""
    for at in dict.fromkeys(scene.draft):
        yield f'<use href="#{ID_PREFIX}-draft" {template.at[at]} />'
        if at not in scene.stones and at not in template.cells:
            yield _use(template, "cross", at, "going")


def marks(scene: Scene, template: BoardTemplate) -> Iterator[str]:
    """Yield the small signs of the overlays."""
    texts: dict[str, list[Mark]] = defaultdict(list)
    numbered = frozenset(_numbered(scene))
    for mark in _marks(scene):
        if mark.kind == "text":
            texts[mark.at].append(mark)
        elif mark.kind not in ("area", "heat") and not (mark.kind == "ring" and mark.at in template.cells):
            yield _small_mark(scene, template, mark, aside=mark.at in numbered)
    for at, together in texts.items():
        yield from _text_marks(scene, template, at, together)


def _small_mark(scene: Scene, template: BoardTemplate, mark: Mark, *, aside: bool) -> str:
    """Draw a mark in the middle of its place, or smaller at the upper right of a number."""
    cls = f"mark {_mark_class(scene, template, mark)}"
    if not aside:
        return _use(template, mark.kind, mark.at, cls)
    away = 0.62 * template.metrics.stone
    x, y = shifted(template.places[mark.at], (away, -away))
    moved = f"translate({number(x * UNIT)} {number(y * UNIT)}) scale(.62)"
    return f'<use href="#{ID_PREFIX}-{mark.kind}" transform="{moved}" class="{cls}" />'


def _text_marks(scene: Scene, template: BoardTemplate, at: str, together: list[Mark]) -> Iterator[str]:
    """Yield a text in the middle of its place, or the texts of several players round it, each on its side."""
    if len({mark.player for mark in together}) == 1:
        for mark in together:
            yield from _text_mark(scene, template, mark)
        return
    sides = around(len(template.player_styles), _SHARE, 180 if len(template.player_styles) == 2 else -90)
    for mark in together:
        if mark.player is not None:
            place = shifted(template.places[at], sides[mark.player])
            cls = _player_class("of", template, mark.player)
            yield f'<use href="#{ID_PREFIX}-share" {coordinates(place)} class="mark {cls}" />'
            size = 12 if len(mark.text) < 2 else 20 / len(mark.text)
            yield _write(mark.text, place, size, f"written {_player_class('on', template, mark.player)}")


def _text_mark(scene: Scene, template: BoardTemplate, mark: Mark) -> Iterator[str]:
    """Yield a text on its player's own stone, or on a chip in the player's colour."""
    cls = _mark_class(scene, template, mark)
    if mark.player is not None and cls == _player_class("of", template, mark.player):
        yield _use(template, "chip", mark.at, f"mark {cls}")
        cls = _player_class("on", template, mark.player)
    size = _MARK_FONT if len(mark.text) < 3 else 2.4 * _MARK_FONT / len(mark.text)
    yield _write(mark.text, template.places[mark.at], size, f"written {cls}")


def numbers(scene: Scene, template: BoardTemplate) -> Iterator[str]:
    """Yield numbers of actions; on stones with a sign, a little below the middle."""
    for at in _numbered(scene):
        text, stone = scene.numbers[at], scene.owners.get(at)
        size = _NUMBER_FONT if len(text) < 3 else 2.6 * _NUMBER_FONT / len(text)
        x, y = template.places[at]
        if stone is None:
            yield _write(text, (x, y), size, "number plain")
            continue
        down = _below_engraving(template, stone)
        yield _write(text, (x, y + down), size, f"number {_player_class('on', template, stone)}")


def playable(scene: Scene, template: BoardTemplate) -> Iterator[str]:
    """Yield marks on points where an action is possible."""
    if scene.dotted:
        movers = _movers(scene, template)
        yield from (_use(template, "dot", at, movers) for at in _open(scene) if at not in template.cells)


def choices(scene: Scene, template: BoardTemplate) -> Iterator[str]:
    """Yield marks on cells where an action is possible."""
    movers = _movers(scene, template)
    yield from (_use(template, "cell-hint", at, movers) for at in _open(scene) if at in template.cells)


def _open(scene: Scene) -> Iterator[str]:
    """Return the places of legal actions without a hint of an analysis."""
    hinted = {hint.at for hint in scene.hints}
    return (at for at in scene.legal if at not in hinted)


def _movers(scene: Scene, template: BoardTemplate) -> str:
    """Return the class of marks for the player to act."""
    return "mark plain" if scene.to_move is None else f"mark {_player_class('of', template, scene.to_move)}"


def hints(scene: Scene, template: BoardTemplate) -> Iterator[str]:
    """Yield badges for the hints of an analysis, the best one last so that nothing covers it."""
    for hint in sorted(scene.hints, key=lambda hint: -hint.rank):
        rank = "best" if hint.rank == 0 else "other"
        yield _use(template, "hint", hint.at, f"hint {rank}")
        size = _HINT_FONT if len(hint.label) < 5 else 4.3 * _HINT_FONT / len(hint.label)
        yield _write(hint.label, template.places[hint.at], size, f"opinion {rank}")


def _use(template: BoardTemplate, shape: str, at: str, cls: str) -> str:
    """Place a predefined shape at a point or a cell."""
    return f'<use href="#{ID_PREFIX}-{shape}" {template.at[at]} class="{cls}" />'


def _write(text: str, place: tuple[float, float], size: float, cls: str) -> str:
    """Write centred text; `size` is the font size in drawing units."""
    x, y = number(place[0] * UNIT), number(place[1] * UNIT + 0.35 * size)
    return f'<text x="{x}" y="{y}" class="{cls}" font-size="{number(size)}">{clean(text)}</text>'


def _marks(scene: Scene) -> list[Mark]:
    return [mark for overlay in scene.overlays for mark in overlay.marks]


def _numbered(scene: Scene) -> list[str]:
    """Return the places with a number and no text of an overlay, which takes precedence."""
    taken = {mark.at for mark in _marks(scene) if mark.kind == "text"} if scene.numbers else ()
    return [at for at in scene.numbers if at not in taken]


def _player_class(prefix: str, template: BoardTemplate, player: int) -> str:
    """Return the class of an element in a player's colours."""
    return f"{prefix}-{template.player_styles[player].name}"


def _mark_class(scene: Scene, template: BoardTemplate, mark: Mark) -> str:
    """Return a class that keeps a mark legible: ink on its player's own stone, else the player's colour."""
    stone = scene.owners.get(mark.at)
    if stone is not None and mark.player in (None, stone):
        return _player_class("on", template, stone)
    return "plain" if mark.player is None else _player_class("of", template, mark.player)
