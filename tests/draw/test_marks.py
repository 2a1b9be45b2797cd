"""Numbers, drafts and hints on the board."""

import xml.etree.ElementTree as ET

import pytest

import kakomi
from kakomi.boards import honeycomb_board, letter_board
from kakomi.draw import Hint, Mark, Overlay, Scene, Style
from kakomi.draw.svg import draw_svg

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Black", "White", "Red", "Blue", "Yellow", "Green")


def drawn(geometry=None, players=6, **fields) -> ET.Element:
    points = "circles" if geometry else "squares"
    board = geometry or letter_board(5)
    shown = Scene(board, Style(points), fields.pop("stones", {}), NAMES[:players], **fields)
    return ET.fromstring(draw_svg(shown, prefix="p"))


def layer(root: ET.Element, name: str) -> list[ET.Element]:
    return [child for group in root if group.get("class", "").split()[:1] == [name] for child in group]


def test_numbers_are_written_in_the_ink_of_their_stones():
    stones = {name: player for player, name in enumerate(("a1", "b1", "c1", "d1", "e1", "a2"))}
    numbers = layer(drawn(stones=stones, numbers={**dict.fromkeys(stones, "12"), "a3": "9"}), "numbers")
    assert [number.text for number in numbers] == ["12"] * 6 + ["9"]
    inks = [f"number on-{name.lower()}" for name in NAMES]
    assert [number.get("class") for number in numbers] == [*inks, "number plain"]


def test_a_numbered_stone_keeps_its_sign_aside():
    stones = layer(drawn(stones={"a1": 2, "b1": 2, "c1": 0}, numbers={"a1": "1", "c1": "2"}), "stones")
    shapes = {stone.get("data-point"): stone.get("href") for stone in stones}
    assert shapes == {"a1": "#p-numbered-2", "b1": "#p-stone-2", "c1": "#p-stone-0"}


def test_small_marks_make_room_for_numbers_and_texts_take_their_place():
    marks = (Mark("ring", "a1", 0), Mark("ring", "b1", 0), Mark("text", "c1", 0, "win"))
    root = drawn(
        stones=dict.fromkeys(("a1", "b1", "c1"), 0),
        numbers={"a1": "1", "c1": "2"},
        overlays=(Overlay("o", "O", marks),),
    )
    aside, middle, text = layer(root, "marks")
    assert aside.get("transform") and aside.get("x") is None
    assert middle.get("x") == "40" and middle.get("transform") is None
    assert text.text == "win"
    assert [number.text for number in layer(root, "numbers")] == ["1"]


def test_a_draft_is_pale_and_ringed_with_dashes():
    root = drawn(stones={"a1": 0, "b1": 0}, draft=("a1", "c1"), last=("a1", "b1"))
    assert [stone.get("opacity") for stone in layer(root, "stones")] == [".75", None]
    assert [use.get("href") for use in layer(root, "drafts")] == ["#p-draft", "#p-draft", "#p-cross"]
    assert [use.get("x") for use in layer(root, "lasts")] == ["40"]


def test_the_best_hint_is_drawn_last_and_otherwise():
    root = drawn(hints=(Hint("a1", "54 %", 0), Hint("b1", "40.5 %", 1)), legal={"a1": "a1", "c1": "c1"})
    drawing = layer(root, "hints")
    assert [element.get("class") for element in drawing] == [
        "hint other",
        "opinion other",
        "hint best",
        "opinion best",
    ]
    assert [element.text for element in drawing if element.text] == ["40.5 %", "54 %"]
    assert [use.get("x") for use in layer(root, "playable")] == ["80"]


@pytest.mark.parametrize("players", [2, 3, 6])
def test_texts_of_several_players_stand_side_by_side(players):
    board = honeycomb_board(2)
    marks = tuple(Mark("text", board.cells[0].name, player, str(player)) for player in range(players))
    drawing = layer(drawn(board, players, overlays=(Overlay("o", "O", marks),)), "marks")
    chips = [(float(use.get("x")), float(use.get("y"))) for use in drawing if use.tag == f"{SVG}use"]
    assert len(set(chips)) == players
    assert [text.text for text in drawing if text.tag == f"{SVG}text"] == [str(p) for p in range(players)]


@pytest.mark.parametrize("name", kakomi.names())
def test_a_position_hands_on_what_is_shown(name):
    position = kakomi.game(name).start()
    first = position.game.geometry.names[0]
    scene = position.scene(
        legal=True, turned=1, numbers={first: "1"}, draft=[first], hints=[Hint(first, "1 %")]
    )
    assert scene.legal[first] == position.game.actions[position.game.action(first)].text
    assert (scene.turned, scene.numbers, scene.draft) == (1, {first: "1"}, (first,))
    assert position.svg(turned=1, prefix="p") == draw_svg(position.scene(turned=1), prefix="p")
    assert position.svg(styled=False, interactive=True, legal=True) == draw_svg(
        position.scene(legal=True), styled=False, interactive=True
    )


def test_what_is_drawn_is_the_same_however_often_it_was_drawn_before():
    position = kakomi.game("rings", size=2).start()
    first = position.svg(prefix="first")
    position.svg(prefix="second", turned=1)
    assert position.svg(prefix="first") == first
