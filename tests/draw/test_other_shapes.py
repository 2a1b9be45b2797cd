"""Drawings of boards other than squares, hexagons and honeycombs."""

import xml.etree.ElementTree as ET

import pytest

from boards_of_other_shapes import crossed, lopsided, rhombus, triangle
from kakomi.draw import Scene, Style
from kakomi.draw.hit_targets import arrows
from kakomi.draw.svg import draw_svg
from kakomi.draw.text import draw_text

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = {
    "rhombus": rhombus(4),
    "rhombus without mirrors": rhombus(4, slope=0.3),
    "triangle": triangle(4),
    "cross": crossed(5),
    "lopsided": lopsided(4),
}
every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


@every_board
@pytest.mark.parametrize("points", ["intersections", "squares", "hexagons"])
def test_every_turn_of_it_can_be_drawn(board, points):
    for turned in range(board.turns):
        scene = Scene(board, Style(points), {board.names[0]: 0}, ("Black", "White"), turned=turned)
        root = ET.fromstring(draw_svg(scene, interactive=True, prefix="b"))
        drawn = [use.get("data-point") for use in root.iter(f"{SVG}use") if use.get("class") == "target"]
        assert sorted(drawn) == sorted(board.names)
        assert draw_text(scene).count("X") == 2  # the stone, and the legend


@every_board
def test_lines_of_intersections_join_neighbours(board):
    root = ET.fromstring(draw_svg(Scene(board, Style("intersections"), {}, ("Black", "White"))))
    lines = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("class") == "lines"]
    assert sum(line.count("M") for line in lines) == sum(map(len, board.neighbours)) // 2


@every_board
def test_arrow_keys_lead_to_every_point(board):
    ways = arrows(board)
    reached, waiting = set(), [board.names[0]]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(ways[name].values())
    assert reached == set(board.names)
