"""Drawings: well-formed, complete, the same each time, and right to the character."""

import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace

import pytest

from kakomi.boards import hexagon_board, honeycomb_board, letter_board, matrix_board
from kakomi.draw import Mark, Overlay, Scene, Style
from kakomi.draw.player_style import PLAYER_STYLES, player_styles
from kakomi.draw.svg import draw_svg
from kakomi.draw.text import draw_text

SVG = "{http://www.w3.org/2000/svg}"
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


def parsed(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)


def having(root: ET.Element, word: str) -> list[ET.Element]:
    """Elements with a word in their class."""
    return [element for element in root.iter() if word in element.get("class", "").split()]


# SVG


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
        "Black is to move. Safe: Black, safe at a1 a2."
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


# Liveries


def test_players_named_after_colours_wear_them():
    assert [style.name for style in player_styles(("Blue", "Anna", "Black", "Ben"))] == [
        "blue",
        "white",
        "black",
        "red",
    ]


def test_player_styles_differ_in_colour_sign_and_letter():
    for what in ("name", "body", "sign", "letter", "paint"):
        assert len({getattr(style, what) for style in PLAYER_STYLES}) == 6
    letters = "".join(style.letter + style.letter.lower() + style.marked for style in PLAYER_STYLES)
    assert all(count == 1 for sign, count in Counter(letters).items() if sign not in "ahyv")


def test_a_seventh_player_is_refused():
    with pytest.raises(ValueError, match="7 players can't be drawn apart: at most 6 can"):
        draw_text(Scene(letter_board(5), Style(), {}, (*NAMES, "Pink")))


# Text


def lines(drawing: str) -> list[str]:
    return [line.rstrip() for line in drawing.splitlines()]


def test_text_of_a_letter_board():
    stones = {"a1": 0, "b1": 1, "c3": 0, "d3": 1}
    drawing = draw_text(
        scene(letter_board(5), stones=stones, last=("c3", "d3"), legal={"e1": "e1", "b1": "b1"})
    )
    assert lines(drawing) == [
        "   a b c d e",
        "",
        "5  . . . . .  5",
        "4  . . . . .  4",
        "3  . .(X|O).  3",
        "2  . . . . .  2",
        "1  X+O . . +  1",
        "",
        "   a b c d e",
        "",
        "X Black  O White  ( ) last played  + can be played",
    ]


def test_text_of_a_matrix_board_counts_from_the_top_left():
    drawing = lines(draw_text(scene(matrix_board(12), stones={"0,11": 0, "11,0": 1})))
    assert drawing[:4] == [
        "                        1 1",
        "    0 1 2 3 4 5 6 7 8 9 0 1",
        "",
        " 0  . . . . . . . . . . . X  0",
    ]
    assert drawing[14] == "11  O . . . . . . . . . . .  11"


def test_text_of_a_hexagon_is_staggered():
    stones = {"a1": 0, "b3": 1, "c5": 0, "e3": 1}
    drawing = draw_text(scene(hexagon_board(3), "hexagons", stones=stones, last=("c5", "d2")))
    assert lines(drawing) == [
        "  e1  . . O  e3",
        " d1  .(.). .  d4",
        "c1  . . . .(X) c5",
        " b1  . . O .  b4",
        "  a1  X . .  a3",
        "",
        "X Black  O White  ( ) last played",
    ]


def test_text_of_a_honeycomb():
    marks = (Mark("area", "DE2", 2), Mark("ring", "BC3", 1), Mark("text", "FG3", 0, "3"))
    drawing = draw_text(
        scene(
            honeycomb_board(2),
            "circles",
            6,
            stones={"D1": 0, "E1": 1, "A3": 2, "H3": 3, "A5": 4, "H5": 5},
            last=("D1", "DE6"),
            legal={"E7": "E7", "DE4": "xDE4"},
            overlays=(Overlay("o", "Circles", marks),),
        )
    )
    assert lines(drawing) == [
        "   AB CD EF GH",
        "",
        "1     (X)O      1",
        "2   . . a . .   2",
        "3  A O . . 3 H  3",
        "4   . . + . .   4",
        "5  Y   . .   V  5",
        "6   . .( ). .   6",
        "7      . +      7",
        "",
        "   AB CD EF GH",
        "",
        "X Black  O White  A Red  H Blue  Y Yellow  V Green  ( ) last played  + can be played",
        "Circles (O White, a Red)",
    ]


def test_points_of_a_honeycomb_stand_under_their_letters():
    """RULES G2's letters by row, read off the drawing."""
    geometry = honeycomb_board(6)
    drawing = lines(draw_text(scene(geometry, "circles")))
    header = drawing[0]
    assert header.split() == ["AB", "CD", "EF", "GH", "IJ", "KL", "MN", "OP", "QR", "ST", "UV", "WX"]
    read = []
    for number, line in enumerate(drawing[2:25], start=1):
        assert line.split()[0] == line.split()[-1] == str(number)
        read += [f"{header[column]}{number}" for column, sign in enumerate(line) if sign == "."]
    assert read == list(geometry.names)


def test_overlays_change_signs_and_explain_them():
    stones = {"a1": 0, "b1": 1, "a2": 0, "b2": 1}
    first = Overlay("first", "First", (Mark("ring", "a1", 0), Mark("ring", "b1", 1), Mark("area", "c1", 1)))
    second = Overlay("second", "Second", (Mark("dot", "a2", 0), Mark("dot", "c2", None, "contested")))
    third = Overlay("third", "Third", (Mark("area", "c3", 0), Mark("area", "c3", 1), Mark("area", "b2", 1)))
    numbers = Overlay("numbers", "Numbers", (Mark("text", "e1", 0, "12"), Mark("text", "e2", 0, "7")))
    nothing = Overlay("nothing", "Nothing")
    drawing = lines(
        draw_text(scene(letter_board(5), stones=stones, overlays=(first, second, third, numbers, nothing)))
    )
    assert drawing[4:7] == ["3  . . : . .  3", "2  % O : . 7  2", "1  # @ o . 12 1"]
    assert drawing[11:] == [
        "First (# Black, @ White, o White)",
        "Second (% Black, : contested)",
        "Third (: several players)",
        "Numbers",
        "Nothing (none)",
    ]


def test_a_board_is_drawn_wider_for_what_is_written_on_stones():
    sizes = Overlay("sizes", "Sizes", (Mark("text", "a1", 0, "10"), Mark("text", "b2", 1, "3")))
    marked = Overlay("marked", "Marked", (Mark("cross", "b2", 1),))
    shown = scene(hexagon_board(2), "hexagons", stones={"a1": 0, "b2": 1}, last=("b2",), legal={"b3": "b3"})
    assert lines(draw_text(replace(shown, overlays=(sizes, marked)))) == [
        "  c1  .   .    c2",
        "b1  .  (@3) +    b3",
        "  a1  X10 .    a2",
        "",
        "X Black  O White  ( ) last played  + can be played",
        "Sizes",
        "Marked (@ White)",
    ]


def test_a_board_is_drawn_wider_for_long_texts():
    texts = Overlay("o", "Needed", (Mark("text", "DE4", 0, "2/4"), Mark("text", "DE2", 0, "10/12")))
    drawing = lines(draw_text(scene(honeycomb_board(2), "circles", overlays=(texts,))))
    assert drawing[0] == "   A B   C D   E F   G H"
    assert drawing[3] == "2    .   .  10/  .   .      2"
    assert drawing[5] == "4    .   .  2/4  .   .      4"
    assert drawing[-1] == "Needed (10/ 10/12)"


@every_kind
def test_colours_say_nothing_more(kind):
    plain, coloured = draw_text(BUSY[kind]), draw_text(BUSY[kind], colour=True)
    assert "\x1b[1;97;40m" in coloured
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert plain.isascii()


@every_kind
def test_colours_end_where_they_should(kind):
    for line in draw_text(BUSY[kind], colour=True).splitlines():
        codes = re.findall(r"\x1b\[([0-9;]*)m", line)
        assert codes[1::2] == ["0"] * (len(codes) // 2)
        assert len(codes) % 2 == 0
