"""Rotated boards: everything is at its rotated place, with labels upright and beside the right points."""

import xml.etree.ElementTree as ET
from math import hypot

import pytest

from kakomi.boards import hexagon_board, honeycomb_board, letter_board, matrix_board
from kakomi.draw import Scene, Style
from kakomi.draw.rotation import turned
from kakomi.draw.svg import draw_svg
from kakomi.draw.text import draw_text

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = {
    "letters": (letter_board(5), "intersections"),
    "matrix": (matrix_board(12), "squares"),
    "hexagon": (hexagon_board(4), "hexagons"),
    "honeycomb": (honeycomb_board(3), "circles"),
}
CASES = [(board, by) for board, (geometry, _) in BOARDS.items() for by in range(geometry.turns)]
every_turn = pytest.mark.parametrize(("board", "by"), CASES)


def drawn(board: str, by: int) -> ET.Element:
    geometry, points = BOARDS[board]
    return ET.fromstring(draw_svg(Scene(geometry, Style(points), {}, ("Black", "White"), turned=by)))


def places(root: ET.Element) -> dict[str, tuple[float, float]]:
    targets = [use for use in root.iter(f"{SVG}use") if use.get("class") == "target"]
    return {
        use.get("data-point") or use.get("data-cell"): (float(use.get("x")), float(use.get("y")))
        for use in targets
    }


def labels(root: ET.Element) -> list[tuple[str, float, float]]:
    texts = [text for text in root.iter(f"{SVG}text") if text.get("class") == "label"]
    assert all(text.get("transform") is None for text in texts)
    return [(text.text, float(text.get("x")), float(text.get("y"))) for text in texts]


@every_turn
def test_a_turned_board_covers_the_same_places(board, by):
    upright, other = places(drawn(board, 0)), places(drawn(board, by))
    assert upright.keys() == other.keys()
    for x, y in other.values():
        assert min(hypot(x - a, y - b) for a, b in upright.values()) < 0.3


@every_turn
def test_a_board_turned_all_the_way_is_as_it_was(board, by):
    geometry, _ = BOARDS[board]
    rest = turned(turned(geometry, by), (geometry.turns - by) % geometry.turns)
    for place, original in zip(rest.places, geometry.places, strict=True):
        assert place == pytest.approx(original, abs=1e-6)


def test_boards_turn_clockwise():
    assert places(drawn("letters", 1))["a5"] == places(drawn("letters", 0))["e5"]
    assert places(drawn("hexagon", 1))["d1"] == pytest.approx(places(drawn("hexagon", 0))["g1"], abs=0.2)


@every_turn
def test_labels_stand_beside_points_that_they_belong_to(board, by):
    root = drawn(board, by)
    geometry, _ = BOARDS[board]
    points = {name: place for name, place in places(root).items() if name in geometry.index}
    found = labels(root)
    assert found
    for text, x, y in found:
        in_line = [n for n, (a, b) in points.items() if abs(a - x) < 0.3 or abs(b - y) < 0.3]
        if text in points:
            beside = min(points, key=lambda name: hypot(points[name][0] - x, points[name][1] - y))
            assert beside == text
        else:
            named = [name for name in in_line if text in (name, *name.split(","), name[:1], name[1:])]
            across = [name for name in in_line if abs(points[name][0] - x) < 0.3]
            along = [name for name in in_line if abs(points[name][1] - y) < 0.3]
            assert set(across) <= set(named) or set(along) <= set(named)


@every_turn
def test_nothing_of_a_turned_board_leaves_the_drawing(board, by):
    root = drawn(board, by)
    left, top, width, height = map(float, root.get("viewBox").split())
    for _, x, y in labels(root):
        assert left + 5 < x < left + width - 5
        assert top + 5 < y < top + height - 5


@every_turn
def test_texts_are_turned_too(board, by):
    geometry, points = BOARDS[board]
    stones = {geometry.names[0]: 0, geometry.names[1]: 1}
    drawing = draw_text(Scene(geometry, Style(points), stones, ("Black", "White"), turned=by))
    assert drawing.count("X") == drawing.count("O") == 2


def test_a_half_turn_of_letters_in_text():
    shown = Scene(letter_board(3), Style(), {"a1": 0}, ("Black", "White"), turned=2)
    assert draw_text(shown).splitlines()[:5] == ["   c b a", "", "1  . . X  1", "2  . . .  2", "3  . . .  3"]


@pytest.mark.parametrize("by", [-1, 4])
def test_a_turn_that_the_board_does_not_have_is_refused(by):
    with pytest.raises(ValueError, match="it has the turns 0 to 3"):
        turned(letter_board(5), by)
