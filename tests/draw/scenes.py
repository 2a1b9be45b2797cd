"""Scenes to draw: plain ones, and for each kind of board one with everything on it."""

import pytest

from kakomi.boards import hexagon_board, honeycomb_board, letter_board, matrix_board
from kakomi.draw import Mark, Overlay, Scene, Style

NAMES = ("Black", "White", "Red", "Blue", "Yellow", "Green")


def scene(geometry, points="intersections", players=2, **fields) -> Scene:
    fields.setdefault("stones", {})
    material = fields.pop("material", "wood")
    style = Style(points=points, material=material, markers=fields.pop("markers", {}))
    return Scene(geometry, style, player_names=NAMES[:players], **fields)


def every_third(geometry, players):
    return {name: i % players for i, name in enumerate(geometry.names[::3])}


def busy(geometry, points, players, material="wood") -> Scene:
    """A scene with everything on it."""
    names, cells = geometry.names, [cell.name for cell in geometry.cells]
    kinds = ("dot", "ring", "cross", "square", "text", "area")
    marks = [Mark(kinds[i % 6], name, (None, 0, 1)[i % 3], "win") for i, name in enumerate(names)]
    shared = [Mark("area", name, player) for name in (*names[:4], *cells[:4]) for player in range(players)]
    on_cells = [Mark(kinds[i % 6], name, i % players, "3") for i, name in enumerate(cells)]
    return scene(
        geometry,
        points,
        players,
        material=material,
        stones=every_third(geometry, players),
        title="A busy board",
        to_move=1,
        last=(names[0], names[1], *cells[:1]),
        legal={name: name for name in (names[1], names[2], *cells[1:3])},
        overlays=(Overlay("marks", "Marks", tuple(marks)), Overlay("more", "More", (*shared, *on_cells))),
    )


BUSY = {
    "square": busy(matrix_board(6), "intersections", 2),
    "squares": busy(letter_board(5), "squares", 2, "paper"),
    "hexagon": busy(hexagon_board(3), "hexagons", 3),
    "honeycomb": busy(honeycomb_board(3), "circles", 6, "paper"),
}
every_kind = pytest.mark.parametrize("kind", BUSY)
