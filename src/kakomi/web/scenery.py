"""What a page's script needs to draw a board as `kakomi.draw` does: the empty board, and the signs that its
layers put at one place, drawn once at the origin.

So every layer is described once, in `kakomi.draw.layers`: a script only copies its signs to places.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from kakomi.boards import Cell, Geometry
from kakomi.core import Game
from kakomi.draw import Hint, Mark, Overlay, Scene, layers
from kakomi.draw.board_template import ID_PREFIX, BoardTemplate, template_of
from kakomi.draw.svg import draw_svg

PREFIX = "board"
POINT, CELL, TEXT = "POINT", "CELL", "TEXT"
"""In signs: the name of the place, and the text of a sign with one."""
LENGTHS = (2, 3, 4, 5)
"""Of texts whose font differs; texts of one character are as large as those of two."""


def scenery_of(game: Game) -> dict[str, Any]:
    """Return the drawing of the empty board, its places by name, and the signs."""
    scene = game.start().scene()
    svg = draw_svg(replace(scene, stones={}, to_move=None), prefix=PREFIX, styled=False, interactive=True)
    template = template_of(scene)
    return {
        "svg": svg,
        "styles": [style.name for style in template.player_styles],
        "signs": _signs(game, _at_origin(scene)),
    }


def _at_origin(scene: Scene) -> Scene:
    """The scene without stones on a board with one point, and one cell if the real board has any."""
    cells = (Cell(CELL, (0,), (0.0, 0.0)),) if scene.geometry.cells else ()
    real = scene.geometry
    geometry = Geometry(real.kind, real.size, (POINT,), ((0.0, 0.0),), ((),), cells)
    style = replace(scene.style, markers={})
    return replace(scene, geometry=geometry, style=style, stones={}, to_move=None, last=(), overlays=())


def _signs(game: Game, scene: Scene) -> dict[str, Any]:
    players, template = range(game.players), template_of(scene)

    def drawn(layer: Any, **fields: Any) -> str:
        return "".join(layer(replace(scene, **fields), template)).replace(ID_PREFIX, PREFIX)

    return {
        "stones": [drawn(layers.stones, stones={POINT: piece}) for piece in range(game.players * game.kinds)],
        "last": drawn(layers.lasts, stones={POINT: 0}, last=(POINT,)),
        "gone": drawn(layers.lasts, last=(POINT,)),
        "playable": [drawn(layers.playable, legal={POINT: ""}, to_move=player) for player in players],
        "choices": [drawn(layers.choices, legal={CELL: ""}, to_move=player) for player in players],
        "hints": [drawn(layers.hints, hints=(Hint(POINT, TEXT, rank),)) for rank in (0, 1)],
        "marks": {
            key: parts
            for key, mark, stones in _marks(game, bool(scene.geometry.cells))
            if (parts := _parts_of(scene, template, mark, stones))
        }
        | (_shares(scene, template, players) if scene.geometry.cells else {}),
    }


def _marks(game: Game, has_cells: bool) -> Iterator[tuple[str, Mark, Mapping[str, int]]]:
    """Yield every mark of one kind, of a player or nobody, on a stone of a player or none, with its key."""
    players = (None, *range(game.players))
    for kind in ("area", "heat", "dot", "ring", "cross", "square", "text"):
        for text in ["T" * length for length in LENGTHS] if kind == "text" else [""]:
            for player in players:
                for owner in players:
                    stones = {} if owner is None else {POINT: owner}
                    yield _key(kind + text, player, owner), Mark(kind, POINT, player, text), stones
                if has_cells:
                    yield _key(kind + text, player, CELL), Mark(kind, CELL, player, text), {}


def _shares(scene: Scene, template: BoardTemplate, players: range) -> dict[str, dict[str, str]]:
    """Return each player's text in a cell with texts of several, by its length and the player."""
    found = {}
    for player in players:
        for text in ("T", "TT"):
            one, other = Mark("text", CELL, player, text), Mark("text", CELL, (player + 1) % len(players), "")
            shown = replace(scene, overlays=(Overlay("", "", (one, other)),))
            drawn = "".join([*layers.marks(shown, template)][:2])
            found[f"share{text} {player}"] = {"marks": _with_field(drawn)}
    return found


def _with_field(drawn: str) -> str:
    """Return a sign whose text is to be filled in."""
    return re.sub(">T+<", f">{TEXT}<", drawn.replace(ID_PREFIX, PREFIX))


def _key(*parts: object) -> str:
    return " ".join("-" if part is None else str(part) for part in parts)


def _parts_of(scene: Scene, template: BoardTemplate, mark: Mark, stones: Mapping[str, int]) -> dict[str, str]:
    """Return what a mark adds to each layer."""
    marked = replace(scene, stones=stones, overlays=(Overlay("", "", (mark,)),))
    drawn = {
        layer.__name__: "".join(layer(marked, template))
        for layer in (layers.areas, layers.circles, layers.marks)
    }
    return {name: _with_field(text) for name, text in drawn.items() if text}
