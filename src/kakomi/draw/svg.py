"""Drawings as SVG documents."""

import hashlib
import re
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterable
from functools import lru_cache

from kakomi.draw import alt_text, layers
from kakomi.draw.background import define_ground, draw_lines, draw_panel, frame
from kakomi.draw.board_template import ID_PREFIX, BoardTemplate, add, clean, template_of, written
from kakomi.draw.hit_targets import buttons, focus, lines_of_buttons, plain_targets, starts
from kakomi.draw.layers import define_pieces
from kakomi.draw.scene import Scene
from kakomi.draw.shapes import UNIT, number
from kakomi.draw.theme import checked, stylesheet

_WIDEST = 640
"""The maximum width and height in pixels; a page may scale the drawing."""


def draw_svg(
    scene: Scene,
    theme: str = "auto",
    prefix: str = "",
    *,
    styled: bool = True,
    interactive: bool = False,
    translate: alt_text.Translate = str,
) -> str:
    """Draw the scene as an SVG document. Equal scenes give equal documents.

    `theme` is "light", "dark" or "auto" (the viewer's preference). All ids start with `prefix`, by default
    a hash of the content, and the style only applies within the drawing, so several drawings can share a
    page. Invisible elements with `data-point` or `data-cell` cover every point and cell, for a page's script.

    Without `styled` the drawing has no style, width or height: the page links `theme.page_stylesheet`. With
    `interactive`, the elements over points and cells are buttons. They have names for screen readers, the
    text of a legal action as `data-action`, and in `data-up`, `-down`, `-left` and `-right` the id, without
    `prefix-`, of the button that an arrow key leads to; one of them has a tabindex of 0. Their layer gives
    the player to move as `data-for`. Empty layers are included too, so that `draw_changes` can fill them.
    `translate` translates all text: `alt_text.WORDS`, and the names, titles and marks of the scene.

    Raises ValueError for an unknown theme, an invalid prefix, more than six players, or a rotation that the
    board doesn't have.
    """
    if prefix and not re.fullmatch(r"[A-Za-z][\w-]*", prefix, re.ASCII):
        raise ValueError(f"prefix {prefix!r}: it starts with a letter, then has letters, digits, - and _")
    theme, template = checked(theme), template_of(scene)
    first, *others = _layers(scene, template, with_empty=interactive)
    targets = buttons(scene, template, translate) if interactive else [plain_targets(template)]
    parts = [
        _root(scene, template, styled, interactive, translate),
        _description(scene, translate),
        *([stylesheet(theme, template.material, ID_PREFIX, template.player_styles)] if styled else ()),
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
    return "\n".join(parts).replace(ID_PREFIX, prefix or _fingerprint(scene, theme))


def draw_changes(scene: Scene, prefix: str, translate: alt_text.Translate = str) -> str:
    """Draw the parts that differ between interactive drawings of the same `board_etag`, as an SVG element.

    It contains the description and all layers. In place of the buttons, the last layer has a `desc` with one
    line per button: its name and, after a tab, the text of its action if it has one. `data-focus` is the id,
    without `prefix-`, of the button with a tabindex of 0.
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
    return "\n".join(parts).replace(ID_PREFIX, prefix)


def board_etag(scene: Scene) -> str:
    """Return a hash that is equal for scenes whose drawings differ only in the result of `draw_changes`."""
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
    """Yield the layer below the lines, then those above them."""
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
    return f'<desc id="{ID_PREFIX}-desc">{clean(alt_text.description(scene, translate))}</desc>'


def _targets(scene: Scene, template: BoardTemplate, elements: Iterable[str], attributes: str = "") -> str:
    """Return the topmost layer, with the player to move."""
    waiting = "" if scene.to_move is None else f' data-for="{template.player_styles[scene.to_move].name}"'
    inside = "\n".join(elements)
    return f'<g class="targets"{waiting}{attributes}>\n{inside}\n</g>'


def _root(
    scene: Scene, template: BoardTemplate, styled: bool, interactive: bool, translate: alt_text.Translate
) -> str:
    """Return the opening tag and the title; an interactive board has none, to avoid a tooltip."""
    box, width, height = _box(template)
    title = clean(alt_text.title(scene, translate))
    size = f' width="{width}" height="{height}"' if styled else f' class="board board-{template.material}"'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" id="{ID_PREFIX}"'
    if interactive:
        named = f'role="application" aria-label="{title}" aria-describedby="{ID_PREFIX}-desc"'
        return f'{start} {named} viewBox="{box}"{size}>'
    named = f'aria-labelledby="{ID_PREFIX}-title {ID_PREFIX}-desc"'
    return f'{start} role="img" viewBox="{box}"{size} {named}>\n<title id="{ID_PREFIX}-title">{title}</title>'


@lru_cache(maxsize=64)
def _box(template: BoardTemplate) -> tuple[str, int, int]:
    """Return the view box in drawing units, and width and height in pixels."""
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
    """Return a prefix that is a hash of the drawing's content."""
    added = (scene.turned, *scene.numbers.items(), *scene.draft, *scene.hints)
    shown = (
        alt_text.title(scene),
        alt_text.description(scene),
        scene.style,
        tuple(scene.legal),
        scene.overlays,
    )
    return f"board-{zlib.crc32(repr((*shown, theme, *(added if any(added) else ()))).encode()):08x}"
