"""The reference of Rings against the examples and stated properties of its rules."""

from collections import Counter

import pytest

from reference.moves import BLACK, WHITE, play_all, random_game, stones
from reference.perft import after
from reference.rings import Rings, board_circles, board_neighbours


def test_rings_geometry():
    circles = board_circles(6)
    neighbours = board_neighbours(6)
    assert len(circles) == 91
    assert Counter(len(near) for near in neighbours.values()) == {6: 61, 4: 24, 3: 6}
    in_circles = Counter(point for points in circles.values() for point in points)
    assert len(in_circles) == 216
    assert Counter(in_circles.values()) == {3: 150, 2: 30, 1: 36}
    assert circles["LM2"] == {"L1", "M1", "K2", "N2", "L3", "M3"}
    assert circles["LM4"] == {"L3", "M3", "K4", "N4", "L5", "M5"}


ODD, EVEN = "ADEHILMPQTUX", "BCFGJKNORSVW"
UPPER_ROWS = ["LM", "JKNO", "HILMPQ", "FGJKNORS", "DEHILMPQTU", EVEN]


def test_rings_letters_by_row():
    rows = UPPER_ROWS + [ODD, EVEN] * 5 + [ODD] + UPPER_ROWS[::-1]
    points = set().union(*board_circles(6).values())
    assert points == {f"{letter}{row}" for row, letters in enumerate(rows, 1) for letter in letters}


@pytest.mark.parametrize("side", range(2, 7))
def test_rings_geometry_of_all_sides(side):
    points = set().union(*board_circles(side).values())
    assert len(points) == 6 * side * side
    assert len({point[0] for point in points}) == 4 * side
    assert {int(point[1:]) for point in points} == set(range(1, 4 * side))
    assert len(board_circles(side)) == 3 * side * (side - 1) + 1


RING = "L1 M1 K2 N2 L3 M3"


@pytest.mark.parametrize(
    ("black", "white", "black_has_it"),
    [(RING + " K4", "N4 L5 M5", True), (RING, "K4 N4 L5 M5", False)],
)
def test_rings_majority(black, white, black_has_it):
    position = Rings.arranged(stones(black, white), BLACK)
    assert position.rings() == {"LM2": BLACK}
    assert position.majority("LM4", BLACK) == black_has_it
    assert position.majority("LM4", WHITE) != black_has_it
    position.play("X7")
    assert position.to_move == (BLACK if black_has_it else WHITE)


def test_rings_conversion():
    position = Rings.arranged(stones(RING.removesuffix(" M3") + " K4", "N4 L5 M5"), BLACK)
    position.play("M3")
    assert position.to_move == BLACK
    assert position.legal() == {"xLM4", "end"}
    assert after(position, "end").to_move == WHITE
    position.play("xLM4")
    assert all(owner == BLACK for owner in position.stones().values())
    assert position.rings() == {"LM2": BLACK, "LM4": BLACK}
    assert position.to_move == WHITE  # nothing is left to convert


def test_rings_ring_stones_are_safe():
    # Black's rings NO13 and LM14 give 3 + 2 on LM12, where White has K12, two stones of the ring LM10 and
    # that ring itself: 4.
    circles = board_circles(6)
    black = dict.fromkeys(circles["NO13"] | circles["LM14"], BLACK)
    white = dict.fromkeys(circles["LM10"] | {"K12"}, WHITE)
    position = Rings.arranged(black | white, BLACK)
    position.play("pass")
    assert position.legal() == {"xLM12", "end"}
    position.play("xLM12")
    assert position.stones() == black | white | {"K12": BLACK}
    assert position.to_move == WHITE


def test_rings_passing_player_may_convert_and_the_game_goes_on_until_all_passed():
    position = Rings.arranged(stones(RING + " K4", "N4 L5 M5"), BLACK)
    position.play("pass")
    assert position.legal() == {"xLM4", "end"}
    play_all(position, "end", "pass")
    assert position.is_over
    assert position.scores() == [3, 0]  # LM2, LM4 and JK3

    position = Rings.arranged(stones(RING + " K4", "N4 L5 M5"), WHITE)
    play_all(position, "pass", "pass")
    assert not position.is_over  # the last turn isn't finished
    position.play("xLM4")
    assert position.is_over
    assert position.returns() == [1, -1]


def test_rings_two_of_three_share():
    ring = dict.fromkeys(board_circles(6)["LM2"], 0) | dict.fromkeys(board_circles(6)["LM22"], 1)
    position = Rings.arranged(ring, 0, players=3)
    play_all(position, "pass", "pass")
    assert not position.is_over
    position.play("pass")
    assert position.scores() == [1, 1, 0]
    assert position.returns() == [0.25, 0.25, -0.5]


@pytest.mark.parametrize("seed", range(3))
def test_rings_rings_are_for_good(seed):
    position = Rings(size=3, players=3)
    rings: dict[str, int] = {}
    for before, _ in random_game(position, seed):
        assert rings.items() <= before.rings().items()
        rings = before.rings()
    assert rings
