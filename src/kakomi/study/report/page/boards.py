"""Boards with heat, by the project's own drawings."""

import re

from kakomi.core import Game
from kakomi.draw import Mark, Overlay, Scene
from kakomi.draw.board_template import template_of
from kakomi.draw.shapes import UNIT
from kakomi.draw.svg import draw_svg
from kakomi.study.report.content import BoardMap

WEAKEST = 0.02
"""Weaker tints are left out."""


def draw_board(game: Game, board: BoardMap, key: str) -> str:
    """The board as an SVG element; what is said of each place is its title."""
    heat = tuple(
        Mark("heat", name, player, board.texts.get(name, ""), strength)
        for name, (strength, player) in board.shades.items()
        if strength >= WEAKEST
    )
    texts = tuple(Mark("text", name, None, text) for name, text in board.labels.items())
    scene = _scene(game, board, (Overlay("map", board.title, (*heat, *texts)),))
    drawn = _with_description(draw_svg(scene, prefix=key), key, f"{board.title}. {board.about}")
    return _with_texts(drawn, board)


def empty_board(game: Game, key: str) -> str:
    """The board without a stone, for a script to put stones on."""
    scene = game.start().scene()
    return draw_svg(Scene(scene.geometry, scene.style, {}, scene.player_names, scene.title), prefix=key)


def picture(game: Game, stones: dict[str, int], key: str) -> str:
    """The board with stones on it."""
    scene = game.start().scene()
    shown = Scene(scene.geometry, scene.style, stones, scene.player_names, scene.title)
    return re.sub(r"<title>[^<]*</title>\n", "", draw_svg(shown, prefix=key))


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


def _scene(game: Game, board: BoardMap, overlays: tuple[Overlay, ...]) -> Scene:
    scene = game.start().scene()
    return Scene(
        scene.geometry, scene.style, dict(board.stones), scene.player_names, scene.title, overlays=overlays
    )


def _with_description(drawn: str, key: str, text: str) -> str:
    """The drawing with a description of the map in the place of a list of all its points."""
    from html import escape

    start, end = drawn.index(f'<desc id="{key}-desc">'), drawn.index("</desc>")
    return f'{drawn[:start]}<desc id="{key}-desc">{escape(text)}{drawn[end:]}'


def _with_texts(drawn: str, board: BoardMap) -> str:
    """The titles of places that something is said of say it."""
    from html import escape

    told = {escape(name): escape(text) for name, text in board.texts.items()}
    return re.sub(
        r"<title>([^<]*)</title>", lambda found: f"<title>{told.get(found[1], found[1])}</title>", drawn
    )
