"""Drawings for pages: no inline styles, and buttons for touch, keyboard and screen readers."""

import re
import xml.etree.ElementTree as ET

import pytest

import kakomi
from kakomi.boards import Geometry, hexagon_board, honeycomb_board, letter_board, matrix_board
from kakomi.draw import Hint, Mark, Overlay, Scene, Style
from kakomi.draw.alt_text import WORDS, names_of_targets
from kakomi.draw.hit_targets import arrows
from kakomi.draw.player_style import PLAYER_STYLES
from kakomi.draw.svg import draw_svg
from kakomi.draw.theme import page_stylesheet

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Black", "White", "Red", "Blue", "Yellow", "Green")
BOARDS = {
    "letters": (letter_board(5), "squares"),
    "matrix": (matrix_board(6), "intersections"),
    "hexagon": (hexagon_board(3), "hexagons"),
    "honeycomb": (honeycomb_board(3), "circles"),
}
every_board = pytest.mark.parametrize("board", BOARDS)
BACK = {"up": "down", "down": "up", "left": "right", "right": "left"}


def scene(board: str, players: int = 6, **fields) -> Scene:
    geometry, points = BOARDS[board]
    return Scene(geometry, Style(points=points), fields.pop("stones", {}), NAMES[:players], **fields)


def page(shown: Scene, **how) -> ET.Element:
    return ET.fromstring(draw_svg(shown, prefix="p", styled=False, interactive=True, **how))


def buttons(root: ET.Element) -> dict[str, ET.Element]:
    """The buttons by the name of their point or cell."""
    found = [element for element in root.iter() if element.get("role") == "button"]
    return {element.get("data-point") or element.get("data-cell"): element for element in found}


def all_boards() -> list[Geometry]:
    squares = [*map(matrix_board, range(4, 17)), *map(letter_board, range(4, 20))]
    return [*squares, *map(hexagon_board, range(2, 9)), *map(honeycomb_board, range(2, 7))]


def reached(ways: dict[str, dict[str, str]], start: str) -> set[str]:
    seen, waiting = {start}, [start]
    while waiting:
        fresh = set(ways[waiting.pop()].values()) - seen
        seen |= fresh
        waiting += fresh
    return seen


# Arrows


@pytest.mark.parametrize("geometry", all_boards(), ids=lambda g: f"{g.kind}-{g.size}-{g.names[0]}")
def test_every_target_is_reached_from_every_other_by_arrows(geometry):
    ways = arrows(geometry)
    everywhere = {*geometry.names, *(cell.name for cell in geometry.cells)}
    backwards: dict[str, dict[str, str]] = {name: {} for name in everywhere}
    for name, steps in ways.items():
        for step, to in steps.items():
            backwards[to][f"{name} {step}"] = name
    assert reached(ways, geometry.names[0]) == everywhere
    assert reached(backwards, geometry.names[0]) == everywhere


@pytest.mark.parametrize("geometry", all_boards(), ids=lambda g: f"{g.kind}-{g.size}-{g.names[0]}")
def test_arrows_lead_where_they_point_and_mostly_back(geometry):
    places = dict(zip(geometry.names, geometry.places, strict=True))
    places |= {cell.name: cell.place for cell in geometry.cells}
    ways, stray = arrows(geometry), 0
    for name, steps in ways.items():
        for step, to in steps.items():
            right, down = places[to][0] - places[name][0], places[to][1] - places[name][1]
            along = {"up": -down, "down": down, "left": -right, "right": right}[step]
            assert along > 0.4
            stray += ways[to].get(BACK[step]) != name
            if step in ("left", "right"):
                assert abs(down) < 0.01 and ways[to][BACK[step]] == name
    assert stray == 0 if geometry.kind == "square" else stray < len(ways) / 2


def test_arrows_on_a_square_go_to_neighbours():
    assert arrows(letter_board(5))["a1"] == {"up": "a2", "right": "b1"}
    assert arrows(matrix_board(6))["2,2"] == {"up": "1,2", "down": "3,2", "left": "2,1", "right": "2,3"}


def test_arrows_on_a_hexagon_go_to_and_fro_on_the_way_up():
    ways = arrows(hexagon_board(3))
    assert [ways["a2"]["up"], ways["b3"]["up"], ways["c3"]["up"]] == ["b3", "c3", "d3"]
    assert ways["c3"]["left"] == "c2"


def test_arrows_pass_through_the_middles_of_circles():
    assert arrows(honeycomb_board(2))["C2"]["right"] == "DE2"
    assert arrows(honeycomb_board(2))["DE2"] == {"up": "D1", "down": "D3", "left": "C2", "right": "F2"}


@every_board
def test_arrows_follow_a_turned_board(board):
    geometry, _ = BOARDS[board]
    upright = {name: b.get("data-right") for name, b in buttons(page(scene(board))).items()}
    half = buttons(page(scene(board, turned=geometry.turns // 2)))
    assert upright == {name: b.get("data-left") for name, b in half.items()}


# Buttons


@every_board
def test_every_point_and_cell_is_a_button_once(board):
    geometry, _ = BOARDS[board]
    root = page(scene(board))
    found = buttons(root)
    assert sorted(found) == sorted((*geometry.names, *(cell.name for cell in geometry.cells)))
    ids = {button.get("id") for button in found.values()}
    assert len(ids) == len(found)
    assert f"p-point-{geometry.names[0]}" in ids
    for button in found.values():
        for way in BACK:
            to = button.get(f"data-{way}")
            assert to is None or f"p-{to}" in ids


@every_board
def test_one_button_takes_the_focus(board):
    geometry, _ = BOARDS[board]

    def focused(shown: Scene) -> list[str]:
        return [name for name, button in buttons(page(shown)).items() if button.get("tabindex") == "0"]

    assert len(focused(scene(board))) == 1
    assert focused(scene(board, last=geometry.names[:2])) == [geometry.names[1]]
    rest = {button.get("tabindex") for button in buttons(page(scene(board))).values()}
    assert rest == {"0", "-1"}


def test_a_board_without_a_last_action_is_entered_in_the_middle():
    assert buttons(page(scene("letters")))["c3"].get("tabindex") == "0"
    assert buttons(page(scene("hexagon")))["c3"].get("tabindex") == "0"


def test_buttons_know_the_legal_actions_on_them():
    stones = dict.fromkeys(("L1", "M1", "K2", "N2"), 0) | {"L3": 1}
    placing = kakomi.game("rings").arranged(stones)
    converting = placing.play("pass")
    assert actions_on(converting) == {"LM2": "xLM2"}
    assert actions_on(placing) == {text: text for text in placing.legal() if text != "pass"}


def actions_on(position: kakomi.Position) -> dict[str, str]:
    root = ET.fromstring(position.svg(legal=True, styled=False, interactive=True))
    actions = {name: button.get("data-action") for name, button in buttons(root).items()}
    return {name: action for name, action in actions.items() if action}


def test_a_drawing_for_a_page_lets_readers_at_its_buttons_only():
    root = page(scene("letters", title="Ren", stones={"a1": 0}, legal={"b1": "b1"}))
    assert root.get("role") == "application"
    assert root.get("aria-label") == "Ren"
    assert root.find(f"{SVG}title") is None
    assert root.find(f"{SVG}desc").get("id") == root.get("aria-describedby")
    groups = [group for group in root if group.tag == f"{SVG}g"]
    assert [(g.get("aria-hidden"), g.get("class")) for g in groups] == [("true", None), (None, "targets")]


def test_a_drawing_to_look_at_is_one_picture():
    root = ET.fromstring(draw_svg(scene("letters"), styled=False))
    assert root.get("role") == "img"
    assert not buttons(root)


# Names


def names(board: str, **fields) -> dict[str, str]:
    return {name: button.get("aria-label") for name, button in buttons(page(scene(board, **fields))).items()}


def test_buttons_are_named_with_what_is_on_them():
    found = names("letters", stones={"d4": 0, "a1": 1}, last=("a1",), legal={"b2": "b2"}, numbers={"d4": "7"})
    assert found["d4"] == "d4, Black stone, move 7"
    assert found["a1"] == "a1, White stone, last played"
    assert found["b2"] == "b2, empty, legal"
    assert found["b3"] == "b3, empty"


def test_circles_are_named_with_whose_stones_are_in_them():
    geometry, _ = BOARDS["honeycomb"]
    cell = geometry.cells[3]
    inside = [geometry.names[point] for point in cell.points]
    majority = Overlay("majority", "Majority", (Mark("area", cell.name, 0, "majority"),))
    found = names(
        "honeycomb",
        stones={inside[0]: 0, inside[1]: 1, inside[2]: 0},
        overlays=(majority,),
        draft=(cell.name,),
    )
    assert found[cell.name] == f"circle {cell.name}, 2 Black, 1 White, majority (Black), not confirmed yet"
    assert found[geometry.cells[-1].name].endswith("no stones")


def test_names_say_what_overlays_and_engines_say():
    marks = (Mark("dot", "a1", 0, "alive"), Mark("text", "b1", 1, "3"), Mark("area", "c1", 1, "safe"))
    found = names(
        "letters",
        stones={"a1": 0},
        overlays=(Overlay("gain", "Gain", marks),),
        hints=(Hint("b2", "54 %", 0), Hint("b3", "40 %", 1)),
    )
    assert found["a1"] == "a1, Black stone, alive"
    assert found["b1"] == "b1, empty, gain (White): 3"
    assert found["c1"] == "c1, empty, safe (White)"
    assert found["b2"] == "b2, empty, best: 54 %"
    assert found["b3"] == "b3, empty, engine: 40 %"


def test_names_can_be_said_in_another_language():
    german = {
        "{player} stone": "Stein von {player}",
        "empty": "leer",
        "legal": "spielbar",
        "Black": "Schwarz",
    }
    shown = scene("letters", stones={"a1": 0}, legal={"b1": "b1"}, title="Ren")
    found = names_of_targets(shown, lambda text: german.get(text, text))
    assert found["a1"] == "a1, Stein von Schwarz"
    assert found["b1"] == "b1, leer, spielbar"


@every_board
def test_every_word_that_names_are_made_of_can_be_translated(board):
    geometry, _ = BOARDS[board]
    first, *others = geometry.names
    asked = []

    def noted(text: str) -> str:
        asked.append(text)
        return text

    shown = scene(
        board,
        stones={first: 0},
        legal={others[0]: "b1"},
        last=(first,),
        draft=(others[1],),
        numbers={first: "1"},
        hints=(Hint(others[2], "1 %"), Hint(others[3], "0 %", 1)),
        overlays=(Overlay("o", "O", (Mark("dot", first, 0, "m"), Mark("text", others[4], 1, "t"))),),
        to_move=0,
    )
    draw_svg(shown, interactive=True, translate=noted)
    unknown = set(asked) - {*NAMES, "o", "O", "m", "t"} - set(WORDS)
    assert not unknown


# Style


@every_board
@pytest.mark.parametrize("interactive", [False, True])
def test_a_drawing_for_a_page_has_no_style(board, interactive):
    drawing = draw_svg(
        scene(board, stones={BOARDS[board][0].names[0]: 5}), styled=False, interactive=interactive
    )
    root = ET.fromstring(drawing)
    assert root.get("class") == "board board-wood"
    assert root.get("width") is None and root.get("height") is None
    assert not list(root.iter(f"{SVG}style"))
    assert not re.search(r"<[^>]*\s(style|on\w+)=", drawing)


@every_board
def test_ids_of_drawings_for_pages_keep_apart(board):
    shown = scene(board, stones={BOARDS[board][0].names[0]: 5})
    for prefix in ("one", "two"):
        drawing = draw_svg(shown, prefix=prefix, styled=False, interactive=True)
        ids = [element.get("id") for element in ET.fromstring(drawing).iter() if element.get("id")]
        assert len(set(ids)) == len(ids)
        assert all(id == prefix or id.startswith(f"{prefix}-") for id in ids)
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', drawing)) <= set(ids)


def test_the_stylesheet_colours_every_class_that_is_drawn():
    sheet = page_stylesheet()
    for style in PLAYER_STYLES:
        for voice in ("tint", "on", "of"):
            assert f".board .{voice}-{style.name}{{" in sheet
    used = set(re.findall(r"var\((--board-\w+)\)", sheet))
    for material in ("board-wood", "board-paper"):
        palettes = re.findall(rf"([^\n]*)\.{material}{{([^}}]*)}}", sheet)
        assert [where for where, _ in palettes] == [
            "",
            ":root:not([data-theme=light]) ",
            ":root[data-theme=dark] ",
        ]
        for _, colours in palettes:
            assert used <= set(re.findall(r"(--board-\w+):#", colours))


def test_the_stylesheet_stands_on_its_own():
    sheet = page_stylesheet()
    assert sheet.count("{") == sheet.count("}")
    assert "url(" not in sheet and "@import" not in sheet
    assert "#p" not in sheet and "\0" not in sheet
    selectors = re.findall(r"^(?!@|})([^{]+){", sheet, re.MULTILINE)
    assert all(".board" in selector or ".stone-" in selector for selector in selectors)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("look", ["slate", "sage", "contrast"])
def test_a_look_has_lines_that_can_be_seen(look: str, dark: bool):
    """WCAG requires 3 : 1 for graphics, and 7 : 1 for text in high contrast."""
    start = f":root[data-look~={look}]" + ("[data-theme=dark]" if dark else "") + " .board{"
    colours = dict(re.findall(r"--board-(\w+):(#\w+)", page_stylesheet().split(start)[1].split("}")[0]))
    for ground in ("high", "low"):
        assert _contrast(colours["line"], colours[ground]) >= 3
        assert _contrast(colours["label"], colours[ground]) >= (7 if look == "contrast" else 4.5)


def _contrast(one: str, other: str) -> float:
    """The WCAG contrast ratio of two colours."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
