"""Drawings as text, correct to the character."""

import re
from dataclasses import replace

from draw.scenes import BUSY, every_kind, scene
from kakomi.boards import hexagon_board, honeycomb_board, letter_board, matrix_board
from kakomi.draw import Mark, Overlay
from kakomi.draw.text import draw_text


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
    """The letters of RULES G2 by row, read from the drawing."""
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
