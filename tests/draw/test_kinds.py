"""Drawings of games whose players have several kinds of pieces."""

import xml.etree.ElementTree as ET

import pytest

from kakomi.boards import letter_board
from kakomi.draw import Mark, Overlay, Scene, Style
from kakomi.draw.alt_text import description, names_of_targets
from kakomi.draw.svg import draw_changes, draw_svg
from kakomi.draw.text import draw_text

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Black", "White", "Red")
PIECES = {"a1": 0, "b1": 1, "c1": 3, "d1": 5, "a2": 7}
"""A man of each of the first two players, the kings of Black and Red, and a third kind of White's."""
TEXT_MARKS = Overlay("o", "O", tuple(Mark("text", at, PIECES[at] % 3, "9") for at in PIECES))


def scene(kinds: tuple[str, ...] = ("man", "king"), **more) -> Scene:
    return Scene(letter_board(4), Style(kinds=kinds), PIECES, NAMES, **more)


def written(root: ET.Element) -> list[tuple[str | None, str | None]]:
    return [
        (text.text, text.get("class")) for text in root.iter(f"{SVG}text") if text.get("class") != "label"
    ]


def test_a_piece_is_its_owners_stone_with_the_letter_of_its_kind():
    root = ET.fromstring(draw_svg(scene()))
    stones = {use.get("data-point"): use for use in root.iter(f"{SVG}use") if "stone" in use.get("class", "")}
    owners = {at: stone.get("class") for at, stone in stones.items()}
    assert owners == {at: f"stone player-{piece % 3}" for at, piece in PIECES.items()}
    assert sorted(written(root)) == [
        ("3", "number on-white"),
        ("K", "number on-black"),
        ("K", "number on-red"),
    ]


def test_pieces_of_the_first_kind_are_drawn_as_stones_are():
    men = {"a1": 0, "b1": 1, "c1": 2}
    plain, kinds = (
        Scene(letter_board(4), Style(), men, NAMES),
        Scene(letter_board(4), Style(kinds=("a", "b")), men, NAMES),
    )
    assert draw_svg(kinds, prefix="b") == draw_svg(plain, prefix="b")
    assert draw_text(kinds) == draw_text(plain)


@pytest.mark.parametrize("kinds", [(), ("man", "king")])
def test_kinds_are_drawn_with_whatever_else_is_on_their_points(kinds):
    more = {
        "numbers": {"c1": "12"},
        "overlays": (TEXT_MARKS,),
        "last": ("c1",),
        "draft": ("d1",),
        "to_move": 0,
    }
    busy = scene(kinds, **more)
    for drawn in (
        draw_svg(busy),
        draw_svg(busy, prefix="b", styled=False, interactive=True),
        draw_changes(busy, "b"),
    ):
        ET.fromstring(drawn)
    assert draw_text(busy).count("A") == 2  # Red's stone, and the legend


def test_text_writes_the_kind_behind_the_owners_letter():
    rows = draw_text(scene()).splitlines()
    written = [row.split()[1:-1] for row in rows if row.split()[:1] in (["1"], ["2"])]
    assert written == [["O3", ".", ".", "."], ["X", "O", "XK", "AK"]]
    assert rows[-1] == "X Black  O White  A Red  K king"


def test_words_say_the_kind():
    names = names_of_targets(scene())
    assert (names["a1"], names["c1"], names["a2"]) == (
        "a1, Black stone",
        "c1, Black stone, king",
        "a2, White stone, 3",
    )
    assert "Black has 2 stones: a1 c1 (king). White has 2 stones: b1 a2 (3)." in description(scene())
