"""The reference of Ren against the examples and stated properties of its rules."""

import random

import pytest

from reference.moves import BLACK, WHITE, play_all, stones
from reference.perft import after
from reference.ren import Ren


@pytest.mark.parametrize(
    ("mover", "own", "square", "points"),
    [
        (WHITE, "d4 e4 d5 e5 d6 e6 d7", "e7", 3),
        (WHITE, "d7 e7 d6 d5 e5 d4 e4", "e6", 5),
        (WHITE, "a4 b4 c4 d5 d6 d7 c5", "d4", 3),
        (WHITE, "b4 c4 d4 f4 g4", "e4", 2),
        (BLACK, "d4 e4 d5 e5 f5 f6 f7", "f4", 3),
        (BLACK, "b4 c4 e4 f4", "d4", 0),
        # RULES N3: a 2x4 box completed at its end, and in its middle
        (BLACK, "a1 b1 c1 a2 b2 c2 d2", "d1", 3),
        (BLACK, "a1 b1 d1 a2 b2 c2 d2", "c1", 5),
        # rows of seven and eight
        (BLACK, "a1 b1 c1 e1 f1 g1", "d1", 0),
        (BLACK, "a1 b1 c1 e1 f1 g1 h1", "d1", 0),
        # both arms of a cross
        (BLACK, "a4 b4 c4 d1 d2 d3", "d4", 2),
        # two four-boxes that share only the placed stone
        (BLACK, "a1 b1 a2 c2 b3 c3", "b2", 2),
    ],
)
def test_ren_points(mover, own, square, points):
    position = Ren.arranged(dict.fromkeys(own.split(), mover), mover)
    position.play(square)
    assert position.scores()[mover] == points
    assert position.scores()[1 - mover] == 0
    assert not position.is_over
    assert bool(position.rui()) == bool(points)


@pytest.mark.parametrize("square", [f"{letter}{number}" for letter in "def" for number in (4, 5, 6)])
@pytest.mark.parametrize(
    ("points", "final", "returns"),
    [((16, 12), [26, 12], [1, -1]), ((6, 9), [19, 6], [1, -1]), ((7, 7), [17, 7], [1, -1])],
)
def test_ren_nine_box(square, points, final, returns):
    box = {f"{letter}{number}" for letter in "def" for number in (4, 5, 6)} - {square}
    position = Ren.arranged(dict.fromkeys(box, BLACK), BLACK, points=points)
    position.play(square)
    assert position.is_over
    assert position.scores() == final
    assert position.returns() == returns
    assert position.legal() == position.rui() == set()


@pytest.mark.parametrize(
    ("black", "white", "mover", "square", "captured"),
    [
        ("d4", "c4 e4 d5", WHITE, "d3", {"d4"}),
        ("d1 f1", "e1", BLACK, "e2", {"e1"}),
        ("j1", "i1", WHITE, "j2", {"j1"}),
        ("", "d5 d3 c4 e4", BLACK, "d4", set()),
        # two stones at once (RULES N7)
        ("c4 d5 d3 g4 f5 f3", "d4 f4", BLACK, "e4", {"d4", "f4"}),
        # a pair is never captured
        ("c4 d5 d3 f4 e5", "d4 e4", BLACK, "e3", set()),
    ],
)
def test_ren_capture(black, white, mover, square, captured):
    position = Ren.arranged(stones(black, white), mover)
    before = position.stones()
    position.play(square)
    assert position.stones() == {p: who for p, who in before.items() if p not in captured} | {square: mover}


NIBAI = ("b4 c4 d5 d3", "d4 e5 e3 f4")


def test_ren_nibai():
    position = Ren.arranged(stones(*NIBAI), BLACK)
    position.play("e4")
    assert position.stones() == stones(black="b4 c4 d4 e4 d5 d3", white="e5 e3 f4")
    assert position.scores() == [1, 0]
    assert position.rui() == {"d3", "d5"}
    assert {"d3", "d5"} <= position.legal()
    assert "d4" not in position.legal()


def test_ren_niban_scores_only_with_the_placed_stone():
    black, white = NIBAI
    position = Ren.arranged(stones(black + " d6", white), BLACK)
    position.play("e4")
    assert all(position.stones()[square] == BLACK for square in ("d3", "d4", "d5", "d6"))
    assert position.scores() == [1, 0]


def test_ren_rui_last_for_one_action():
    position = Ren.arranged(stones(black="a1 b1 a2"), BLACK)
    position.play("b2")
    assert position.rui() == {"a1", "b1", "a2"}
    replaced = after(position, "a1")
    assert replaced.stones()["a1"] == WHITE
    assert replaced.rui() == set()
    elsewhere = play_all(position, "j10", "j1")
    assert elsewhere.rui() == set()
    assert not {"a1", "b1", "a2"} & elsewhere.legal()


def test_ren_replacement_never_captures():
    # White c2 is surrounded except for c1, which Black gets by replacing.
    shut_in = stones(black="b2 d2 c3", white="c2 a1 b1 d1")
    position = Ren.arranged(shut_in, WHITE)
    position.play("c1")
    assert position.rui() == {"b1", "d1", "c2"}
    position = Ren.arranged(stones(black="b2 d2 c3", white="c2 c1 a1 b1"), WHITE)
    position.play("d1")
    assert "c1" in position.rui()
    position.play("c1")
    assert position.stones()["c2"] == WHITE
    assert position.stones()["c1"] == BLACK


@pytest.mark.parametrize("rui_limit", [0, 1, 2, 3])
def test_ren_rui_limit(rui_limit):
    """In games where rui stones are replaced whenever possible, the limit is reached but not exceeded."""
    longest = 0
    for seed in range(60):
        chance = random.Random(seed)
        position = Ren(size=5, rui_limit=rui_limit)
        in_succession = 0
        while not position.is_over:
            replaceable = position.rui() & position.legal()
            assert replaceable == (position.rui() if in_succession < rui_limit else set())
            action = chance.choice(sorted(replaceable or position.legal()))
            if action in replaceable:
                in_succession += 1
            elif action != "pass":
                in_succession = 0
            longest = max(longest, in_succession)
            position.play(action)
    assert longest == rui_limit


def test_ren_two_passes_end_the_game():
    position = Ren.arranged({}, WHITE, points=(3, 3))
    play_all(position, "pass", "a1", "pass")
    assert not position.is_over
    position.play("pass")
    assert position.is_over
    assert position.returns() == [0, 0]


@pytest.mark.parametrize(("b2", "over"), [(WHITE, True), (BLACK, False)])
def test_ren_full_board_ends_the_game_at_once(b2, over):
    """Unless the last stone captures: if b2 is Black's too, a1 captures a2 and b1."""
    chequered = {f"{'abcd'[x]}{y + 1}": (x + y) % 2 for x in range(4) for y in range(4)}
    del chequered["a1"]
    position = Ren.arranged(chequered | {"b2": b2}, BLACK, size=4)
    position.play("a1")
    assert position.is_over == over
    assert len(position.stones()) == (16 if over else 14)


@pytest.mark.parametrize(("lead", "over"), [(0, False), (6, True), (7, False)])
def test_ren_lead(lead, over):
    position = Ren.arranged(stones(black="a1 b1 a2"), BLACK, points=(5, 0), lead=lead)
    position.play("b2")
    assert position.is_over == over
