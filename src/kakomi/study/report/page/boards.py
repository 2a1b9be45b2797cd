"""Boards with heat, by the project's own drawings."""

import re
from collections.abc import Mapping
from dataclasses import replace
from html import escape

from kakomi.core import Game
from kakomi.draw import Mark, Overlay, Scene
from kakomi.draw.alt_text import Translate
from kakomi.draw.board_template import template_of
from kakomi.draw.shapes import UNIT
from kakomi.draw.svg import draw_svg
from kakomi.study.report.content import BoardMap

WEAKEST = 0.02
"""Weaker tints are left out."""


def draw_board(
    game: Game, board: BoardMap, key: str, *, styled: bool = True, translate: Translate = str
) -> str:
    """The board as an SVG element; what is said of each place is its title. `draw_svg` says what the last two
    mean."""
    heat = tuple(
        Mark("heat", name, player, board.texts.get(name, ""), strength)
        for name, (strength, player) in board.shades.items()
        if strength >= WEAKEST
    )
    scene = _scene(game, {}, Overlay("map", board.title, heat))
    svg = draw_svg(scene, prefix=key, styled=styled, translate=translate)
    drawn = _with_description(svg, key, f"{board.title}. {board.about}")
    return _with_texts(drawn, board)


def empty_board(game: Game, key: str) -> str:
    """The board without a stone, for a script to put stones on."""
    return draw_svg(_scene(game, {}), prefix=key)


def picture(game: Game, stones: dict[str, int], key: str) -> str:
    """The board with stones on it."""
    return re.sub(r"<title>[^<]*</title>\n", "", draw_svg(_scene(game, stones), prefix=key))


def point_places(game: Game) -> list[tuple[float, float]]:
    """Where each point lies in the drawing, in its units."""
    places = template_of(game.start().scene()).places
    return [
        (round(places[name][0] * UNIT, 1), round(places[name][1] * UNIT, 1)) for name in game.geometry.names
    ]


def cell_places(game: Game) -> dict[str, tuple[float, float]]:
    """Where each cell lies in the drawing, in its units."""
    places = template_of(game.start().scene()).places
    return {
        cell.name: (round(places[cell.name][0] * UNIT, 1), round(places[cell.name][1] * UNIT, 1))
        for cell in game.geometry.cells
    }


def _scene(game: Game, stones: Mapping[str, int], *overlays: Overlay) -> Scene:
    """The game's board with stones, and nobody to act."""
    empty = game.start().scene()
    return replace(empty, stones=stones, to_move=None, overlays=overlays)


def _with_description(drawn: str, key: str, text: str) -> str:
    """The drawing with a description of the map in the place of a list of all its points."""
    start, end = drawn.index(f'<desc id="{key}-desc">'), drawn.index("</desc>")
    return f'{drawn[:start]}<desc id="{key}-desc">{escape(text)}{drawn[end:]}'


def _with_texts(drawn: str, board: BoardMap) -> str:
    """The titles of places that something is said of say it."""
    told = {escape(name): escape(text) for name, text in board.texts.items()}
    return re.sub(
        r"<title>([^<]*)</title>", lambda found: f"<title>{told.get(found[1], found[1])}</title>", drawn
    )
