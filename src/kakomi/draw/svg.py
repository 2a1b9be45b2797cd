"""Drawings as SVG documents."""

import hashlib
import re
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterable
from functools import lru_cache

from kakomi.draw import alt_text, layers
from kakomi.draw.background import define_ground, draw_lines, draw_panel, frame
from kakomi.draw.board_template import HERE, BoardTemplate, add, clean, template_of, written
from kakomi.draw.hit_targets import buttons, focus, lines_of_buttons, plain_targets, starts
from kakomi.draw.layers import define_pieces
from kakomi.draw.scene import Scene
from kakomi.draw.shapes import UNIT, number
from kakomi.draw.theme import checked, stylesheet

_WIDEST = 640
"""Pixels; a page may show the drawing at any other size."""


def draw_svg(
    scene: Scene,
    theme: str = "auto",
    prefix: str = "",
    *,
    styled: bool = True,
    interactive: bool = False,
    translate: alt_text.Translate = str,
) -> str:
    """The scene as an SVG document, the same for the same scene.

    `theme` is "light", "dark" or "auto" (what the viewer prefers). All ids start with `prefix`, and
    the style applies inside the drawing only, so that several drawings can share a page; by default
    the prefix follows from what is drawn. Elements with `data-point` (and `data-cell`) over every
    point (and cell) are there for a page to hook onto.

    Without `styled` the drawing has neither style nor width and height: the page that it stands in
    links `theme.page_stylesheet`. In an `interactive` one what is over points and cells are buttons:
    named for screen readers, with the text of a legal action on them as `data-action`, one of them with
    a tabindex of 0, and in `data-up`, `-down`, `-left` and `-right` the id, without `prefix-`, of the
    button that an arrow key leads to; their layer names the player to move as `data-for`. Empty layers
    are there too, for `draw_changes` to be put into. `translate` may translate what there is to be read:
    `alt_text.WORDS`, and the names, titles and marks of the scene.

    Raises ValueError for an unknown theme, a prefix that is no XML name, more than six players, or a
    turn that the board doesn't have.
    """
    if prefix and not re.fullmatch(r"[A-Za-z][\w-]*", prefix, re.ASCII):
        raise ValueError(f"prefix {prefix!r}: it starts with a letter, then has letters, digits, - and _")
    theme, template = checked(theme), template_of(scene)
    first, *others = _layers(scene, template, with_empty=interactive)
    targets = buttons(scene, template, translate) if interactive else [plain_targets(template)]
    parts = [
        _root(scene, template, styled, interactive, translate),
        _description(scene, translate),
        *([stylesheet(theme, template.material, HERE, template.player_styles)] if styled else ()),
        _definitions(template),
        *(['<g aria-hidden="true">'] if interactive else ()),
        _panel(template),
        *([first] if first else ()),
        _lines(template),
        *filter(None, others),
        *(["</g>"] if interactive else ()),
        _targets(scene, template, targets),
        "</svg>\n",
    ]
    return "\n".join(parts).replace(HERE, prefix or _fingerprint(scene, theme))


def draw_changes(scene: Scene, prefix: str, translate: alt_text.Translate = str) -> str:
    """What differs between interactive drawings of the same `board_etag`, as an SVG element.

    It has the description and all layers; the last, instead of the buttons, has a `desc` with a line for
    each: its name and, after a tab, the text of its action if it has one. `data-focus` is the id, without
    `prefix-`, of the one with a tabindex of 0.
    """
    template = template_of(scene)
    lines = clean("\n".join(lines_of_buttons(scene, template, translate)))
    parts = [
        "<svg>",
        _description(scene, translate),
        *_layers(scene, template, with_empty=True),
        _targets(scene, template, [f"<desc>{lines}</desc>"], f' data-focus="{focus(scene, template)}"'),
        "</svg>",
    ]
    return "\n".join(parts).replace(HERE, prefix)


def board_etag(scene: Scene) -> str:
    """The same for scenes whose drawings differ in nothing but what `draw_changes` holds."""
    return _etag(template_of(scene), scene.title)


@lru_cache(maxsize=64)
def _etag(template: BoardTemplate, title: str) -> str:
    unchanging = (
        title,
        _definitions(template),
        _panel(template),
        _lines(template),
        *starts(template).values(),
    )
    return hashlib.blake2b("\n".join(unchanging).encode(), digest_size=8).hexdigest()


def _layers(scene: Scene, template: BoardTemplate, *, with_empty: bool) -> Iterable[str]:
    """The layers under the lines, and those over them."""
    drawn = (
        ("areas", layers.areas),
        ("circles", layers.circles),
        ("stones", layers.stones),
        ("lasts", layers.lasts),
        ("drafts", layers.drafts),
        ("choices", layers.choices),
        ("marks", layers.marks),
        ("numbers", layers.numbers),
        ("playable", layers.playable),
        ("hints", layers.hints),
    )
    return (_layer(name, elements(scene, template), with_empty=with_empty) for name, elements in drawn)


def _layer(name: str, elements: Iterable[str], *, with_empty: bool = False) -> str:
    inside = "\n".join(elements)
    if inside:
        return f'<g class="{name}">\n{inside}\n</g>'
    return f'<g class="{name}"></g>' if with_empty else ""


def _description(scene: Scene, translate: alt_text.Translate) -> str:
    return f'<desc id="{HERE}-desc">{clean(alt_text.description(scene, translate))}</desc>'


def _targets(scene: Scene, template: BoardTemplate, elements: Iterable[str], attributes: str = "") -> str:
    """The layer over all others, with whom it waits for."""
    waiting = "" if scene.to_move is None else f' data-for="{template.player_styles[scene.to_move].name}"'
    inside = "\n".join(elements)
    return f'<g class="targets"{waiting}{attributes}>\n{inside}\n</g>'


def _root(
    scene: Scene, template: BoardTemplate, styled: bool, interactive: bool, translate: alt_text.Translate
) -> str:
    """The first tag, and the title: a page's own board has none that would pop up under the pointer."""
    box, width, height = _box(template)
    title = clean(alt_text.title(scene, translate))
    size = f' width="{width}" height="{height}"' if styled else f' class="board board-{template.material}"'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" id="{HERE}"'
    if interactive:
        named = f'role="application" aria-label="{title}" aria-describedby="{HERE}-desc"'
        return f'{start} {named} viewBox="{box}"{size}>'
    named = f'aria-labelledby="{HERE}-title {HERE}-desc"'
    return f'{start} role="img" viewBox="{box}"{size} {named}>\n<title id="{HERE}-title">{title}</title>'


@lru_cache(maxsize=64)
def _box(template: BoardTemplate) -> tuple[str, int, int]:
    """The root element: the view box in drawing units, width and height in pixels."""
    corner, size = frame(template)
    margin = 2 / UNIT
    box = (corner[0] - margin, corner[1] - margin, size[0] + 2 * margin, size[1] + 2 * margin)
    shrink = UNIT * min(1, _WIDEST / UNIT / max(box[2:]))
    seen = " ".join(number(length * UNIT) for length in box)
    return seen, round(box[2] * shrink), round(box[3] * shrink)


@lru_cache(maxsize=64)
def _definitions(template: BoardTemplate) -> str:
    holder = ET.Element("g")
    definitions = add(holder, "defs")
    define_ground(definitions, template)
    define_pieces(definitions, template)
    return written(holder)


@lru_cache(maxsize=64)
def _panel(template: BoardTemplate) -> str:
    holder = ET.Element("g")
    draw_panel(holder, template)
    return written(holder)


@lru_cache(maxsize=64)
def _lines(template: BoardTemplate) -> str:
    holder = ET.Element("g")
    draw_lines(holder, template)
    return written(holder)


def _fingerprint(scene: Scene, theme: str) -> str:
    """A prefix that only drawings of the same things share."""
    added = (scene.turned, *scene.numbers.items(), *scene.draft, *scene.hints)
    shown = (
        alt_text.title(scene),
        alt_text.description(scene),
        scene.style,
        tuple(scene.legal),
        scene.overlays,
    )
    return f"board-{zlib.crc32(repr((*shown, theme, *(added if any(added) else ()))).encode()):08x}"
