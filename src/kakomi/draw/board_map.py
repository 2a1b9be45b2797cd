"""Boards whose points and cells are tinted, such as where first moves go."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape

from kakomi.draw.alt_text import Translate
from kakomi.draw.scene import Mark, Overlay, Scene
from kakomi.draw.svg import draw_svg

WEAKEST = 0.02
"""Weaker tints are left out."""


@dataclass(frozen=True)
class BoardMap:
    """A board with tinted places: name -> strength from 0 to 1, and whose tint (None: nobody's)."""

    title: str
    about: str
    shades: Mapping[str, tuple[float, int | None]]
    texts: Mapping[str, str] = field(default_factory=dict)
    """The title of each place."""


def draw_board(
    scene: Scene, board: BoardMap, key: str, *, styled: bool = True, translate: Translate = str
) -> str:
    """The scene's board without stones as an SVG element, tinted; `key` makes its ids unique. `draw_svg`
    describes the other arguments."""
    heat = tuple(
        Mark("heat", name, player, board.texts.get(name, ""), strength)
        for name, (strength, player) in board.shades.items()
        if strength >= WEAKEST
    )
    empty = replace(scene, stones={}, to_move=None, overlays=(Overlay("map", board.title, heat),))
    svg = draw_svg(empty, prefix=key, styled=styled, translate=translate)
    return _with_texts(_with_description(svg, key, f"{board.title}. {board.about}"), board)


def _with_description(drawn: str, key: str, text: str) -> str:
    """The drawing with a description of the map in place of the list of its points."""
    start, end = drawn.index(f'<desc id="{key}-desc">'), drawn.index("</desc>")
    return f'{drawn[:start]}<desc id="{key}-desc">{escape(text)}{drawn[end:]}'


def _with_texts(drawn: str, board: BoardMap) -> str:
    """The drawing with the map's texts as titles of their places."""
    told = {escape(name): escape(text) for name, text in board.texts.items()}
    return re.sub(
        r"<title>([^<]*)</title>", lambda found: f"<title>{told.get(found[1], found[1])}</title>", drawn
    )
