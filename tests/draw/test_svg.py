"""SVG drawings are well-formed, complete and deterministic."""

import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace

import pytest

from draw.scenes import BUSY, every_kind, scene
from kakomi.boards import honeycomb_board, letter_board, matrix_board
from kakomi.draw import Mark, Overlay, Style
from kakomi.draw.svg import draw_svg

SVG = "{http://www.w3.org/2000/svg}"


def parsed(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)


def having(root: ET.Element, word: str) -> list[ET.Element]:
    """Elements with a class."""
    return [element for element in root.iter() if word in element.get("class", "").split()]


@every_kind
@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_svg_is_well_formed_and_the_same_each_time(kind, theme):
    drawing = draw_svg(BUSY[kind], theme)
    assert drawing == draw_svg(BUSY[kind], theme)
    root = parsed(drawing)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert not list(root.iter(f"{SVG}script"))
    assert ("prefers-color-scheme" in drawing) == (theme == "auto")


@every_kind
def test_svg_has_every_stone_once_in_its_players_class(kind):
    stones = having(parsed(draw_svg(BUSY[kind])), "stone")
    drawn = {stone.get("data-point"): stone.get("class") for stone in stones}
    assert len(drawn) == len(stones)
    assert drawn == {name: f"stone player-{player}" for name, player in BUSY[kind].stones.items()}


@every_kind
def test_svg_has_a_target_for_every_point_and_cell(kind):
    geometry = BUSY[kind].geometry
    targets = having(parsed(draw_svg(BUSY[kind])), "target")
    on_points = [target.get("data-point") for target in targets if target.get("data-point")]
    on_cells = [target.get("data-cell") for target in targets if target.get("data-cell")]
    assert on_points == list(geometry.names)
    assert on_cells == [cell.name for cell in geometry.cells]


@every_kind
def test_svg_ids_are_unique_and_every_reference_is_met(kind):
    drawing = draw_svg(BUSY[kind])
    ids = Counter(element.get("id") for element in parsed(drawing).iter() if element.get("id"))
    assert set(ids.values()) == {1}
    used = re.findall(r'(?:href="#|url\(#)([^")]+)', drawing)
    assert used
    assert set(used) <= set(ids)


@every_kind
def test_svgs_on_one_page_keep_apart(kind):
    first, second = draw_svg(BUSY[kind], prefix="first"), draw_svg(BUSY[kind], prefix="second")
    assert first.replace("first", "second") == second
    root = parsed(first)
    assert all(e.get("id", "first").startswith("first") for e in root.iter())
    selectors = re.findall(r"^(?!@media|})(.*)\{.", root.find(f"{SVG}style").text, re.MULTILINE)
    assert len(selectors) > 20
    assert all(selector.startswith("#first ") for selector in selectors)


def test_drawings_of_different_things_have_different_prefixes():
    plain = scene(letter_board(5))
    others = [
        replace(plain, stones={"a1": 0}),
        replace(plain, last=("a1",)),
        replace(plain, to_move=0),
        replace(plain, legal={"a1": "a1"}),
        replace(plain, style=Style(points="squares")),
        replace(plain, overlays=(Overlay("o", "O", (Mark("dot", "a1"),)),)),
        replace(plain, overlays=(Overlay("o", "O", (Mark("ring", "a1"),)),)),
    ]
    drawn = [draw_svg(plain), draw_svg(plain, "dark"), *map(draw_svg, others)]
    assert len({parsed(drawing).get("id") for drawing in drawn}) == len(drawn)


@every_kind
def test_svg_stays_inside_its_box(kind):
    root = parsed(draw_svg(BUSY[kind]))
    left, top, width, height = map(float, root.get("viewBox").split())
    for use in root.iter(f"{SVG}use"):
        assert left + 20 < float(use.get("x")) < left + width - 20
        assert top + 20 < float(use.get("y")) < top + height - 20


@pytest.mark.parametrize("players", [2, 6])
def test_circles_of_a_honeycomb_go_through_their_six_points(players):
    geometry = honeycomb_board(3)
    root = parsed(draw_svg(scene(geometry, "circles", players)))
    at = {e.get("data-point"): (float(e.get("x")), float(e.get("y"))) for e in having(root, "target")}
    circles = having(root, "circle")
    assert len(circles) == len(geometry.cells)
    for circle, cell in zip(circles, geometry.cells, strict=True):
        middle, radius = (float(circle.get("cx")), float(circle.get("cy"))), float(circle.get("r"))
        for point in cell.points:
            assert math.dist(middle, at[geometry.names[point]]) == pytest.approx(radius, abs=0.2)


@pytest.mark.parametrize("size", [2, 6])
def test_partial_circles_run_along_the_whole_rim(size):
    (arcs,) = having(parsed(draw_svg(scene(honeycomb_board(size), "circles"))), "arcs")
    assert arcs.get("d").count("A") == 12 * size - 6


def test_titles_and_texts_are_escaped():
    nasty = '<b>&"'
    marked = (Overlay("o", nasty, (Mark("text", "a1", None, nasty),)),)
    drawing = draw_svg(scene(letter_board(5), title=nasty, overlays=marked))
    root = parsed(drawing)
    assert root.find(f"{SVG}title").text == nasty
    assert nasty in [text.text for text in root.iter(f"{SVG}text")]
    assert "<b>" not in drawing


def test_svg_says_the_position_in_words():
    shown = scene(
        letter_board(5),
        stones={"b1": 1, "a2": 0, "a1": 0},
        last=("b1",),
        to_move=0,
        overlays=(Overlay("o", "Safe", (Mark("ring", "a1", 0, "safe"), Mark("ring", "a2", 0, "safe"))),),
    )
    assert parsed(draw_svg(shown)).find(f"{SVG}desc").text == (
        "A square board of size 5. Black has 2 stones: a1 a2. White has 1 stone: b1. Last played: b1. "
        "Black to move. Safe: Black, safe at a1 a2."
    )


def test_markers_belong_to_one_size():
    markers = {6: ("1,1", "4,4")}
    assert len(having(parsed(draw_svg(scene(matrix_board(6), markers=markers))), "marker")) == 2
    assert not having(parsed(draw_svg(scene(matrix_board(8), markers=markers))), "marker")


def test_what_was_played_last_is_ringed_or_shown_to_be_gone():
    root = parsed(draw_svg(scene(letter_board(5), stones={"a1": 0}, last=("a1", "b2", "a1")), prefix="p"))
    (group,) = having(root, "lasts")
    assert [use.get("href") for use in group] == ["#p-last", "#p-gone"]


def test_places_that_players_share_are_cut_into_parts():
    both = tuple(Mark("area", name, player) for name, player in (("a1", 0), ("b1", 0), ("b1", 1), ("b1", 0)))
    root = parsed(draw_svg(scene(letter_board(5), overlays=(Overlay("o", "O", both),))))
    (group,) = having(root, "areas")
    assert [(area.tag.removeprefix(SVG), area.get("class")) for area in group] == [
        ("use", "tint-black"),
        ("path", "tint-black"),
        ("path", "tint-white"),
    ]


def test_marks_are_legible_on_either_stone():
    stones = {"a1": 0, "b1": 1}
    marks = [Mark("dot", name, player) for name in ("a1", "b1", "c1") for player in (0, None)]
    root = parsed(
        draw_svg(scene(letter_board(5), stones=stones, overlays=(Overlay("o", "O", tuple(marks)),)))
    )
    voices = [mark.get("class").removeprefix("mark ") for mark in having(root, "mark")]
    assert voices == ["on-black", "on-black", "of-black", "on-white", "of-black", "plain"]


def test_a_full_board_of_19_is_small():
    board = letter_board(19)
    full = scene(board, stones={name: i % 2 for i, name in enumerate(board.names)}, last=(board.names[0],))
    assert len(draw_svg(full)) < 150_000


def test_an_unknown_theme_is_refused():
    with pytest.raises(ValueError, match="no theme 'sepia'; there are: light, dark, auto"):
        draw_svg(scene(letter_board(5)), "sepia")


@pytest.mark.parametrize("prefix", ["1st", "a b", "a<", "ä"])
def test_a_prefix_that_is_no_name_is_refused(prefix):
    with pytest.raises(ValueError, match="starts with a letter"):
        draw_svg(scene(letter_board(5)), prefix=prefix)
