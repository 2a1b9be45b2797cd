"""The references against the examples and stated properties of shared/RULES.md."""

import itertools
import random
from collections import Counter
from typing import TypeVar

import pytest

from reference import GAMES, Position, make
from reference.common import components
from reference.lin import Lin
from reference.perft import after, perft, position_of, recorded
from reference.ren import Ren
from reference.rin import Rin, safe_zone
from reference.rings import Rings, board_circles, board_neighbours
from reference.rive import Rive
from reference.rive import board_neighbours as rive_neighbours

BLACK, WHITE = 0, 1
P = TypeVar("P", bound=Position)
SMALL = [
    ("rin", {"size": 6}),
    ("rive", {"size": 3}),
    ("lin", {"size": 5}),
    ("lin", {"size": 7, "line": 3, "komi": 6}),
    ("ren", {"size": 5}),
    ("ren", {"size": 6, "rui_limit": 1, "lead": 6}),
    ("rings", {"size": 2}),
    ("rings", {"size": 2, "players": 3}),
    ("rings", {"size": 3, "players": 6}),
]


def stones(black: str = "", white: str = "") -> dict[str, int]:
    return dict.fromkeys(black.split(), BLACK) | dict.fromkeys(white.split(), WHITE)


def play_all(position: P, *actions: str) -> P:
    for action in actions:
        position.play(action)
    return position


def random_game(position: Position, seed: int):
    """Yields the position before each action, with the action, to the end of a random game."""
    chance = random.Random(seed)
    while not position.is_over:
        action = chance.choice(sorted(position.legal()))
        yield position.copy(), action
        position.play(action)


# All games


@pytest.mark.parametrize(("game", "options"), SMALL)
@pytest.mark.parametrize("seed", range(3))
def test_random_games_end_and_share_out_zero(game, options, seed):
    position = make(game, **options)
    for before, _ in random_game(position, seed):
        assert before.legal()
        assert 0 <= before.to_move < before.players
        assert not before.is_over
    assert position.legal() == set()
    assert sum(position.returns()) == pytest.approx(0)
    best = max(position.scores())
    assert all(
        (share > 0) == (score == best)
        for score, share in zip(position.scores(), position.returns(), strict=True)
    ) or set(position.returns()) == {0}


@pytest.mark.parametrize("game", GAMES)
def test_copy_is_independent(game):
    position = make(game)
    twin = position.copy()
    twin.play(min(twin.legal()))
    assert position.stones() == {}
    assert len(twin.stones()) == 1
    assert position.legal() == make(game).legal()


@pytest.mark.parametrize("game", GAMES)
def test_illegal_action_is_refused(game):
    with pytest.raises(AssertionError):
        make(game).play("nowhere")


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("rin", {"size": 5}, "size"),
        ("rin", {"size": 20}, "size"),
        ("rive", {"size": 1}, "side"),
        ("rive", {"size": 9}, "side"),
        ("lin", {"size": 8}, "size"),
        ("lin", {"size": 9, "line": 5}, "line"),
        ("lin", {"size": 5, "line": 6}, "line"),
        ("lin", {"size": 7, "line": 2}, "line"),
        ("lin", {"komi": 3}, "komi"),
        ("lin", {"size": 5, "komi": 26}, "komi"),
        ("ren", {"size": 13}, "size"),
        ("rings", {"size": 7}, "side"),
        ("rings", {"players": 7}, "players"),
    ],
)
def test_options_out_of_range(game, options, message):
    with pytest.raises(ValueError, match=message):
        make(game, **options)


# Rin


def rin_corner(corner: int, to_move: int) -> Rin:
    """Figure 2 of Rin's document; the colour of the stone in the corner isn't told."""
    figure = stones(black="1,2 2,1", white="0,1 1,0 2,0 2,2 3,1") | {"0,0": corner}
    return Rin.arranged(figure, to_move)


@pytest.mark.parametrize("corner", [BLACK, WHITE])
def test_rin_alive_and_immune(corner):
    position = rin_corner(corner, BLACK)
    assert position.alive() == set(position.stones())
    assert len(position.alive()) == 8
    assert position.immune() == {"0,0", "0,1", "1,0", "2,0"}


@pytest.mark.parametrize("corner", [BLACK, WHITE])
@pytest.mark.parametrize("order", list(itertools.permutations(["2,3", "3,2"])))
def test_rin_black_ring(corner, order):
    position = rin_corner(corner, BLACK)
    before = position.stones()
    play_all(position, *order)
    assert position.stones() == before | stones(black="2,2 2,3 3,2")
    assert position.to_move == WHITE


@pytest.mark.parametrize("corner", [BLACK, WHITE])
@pytest.mark.parametrize("order", list(itertools.permutations(["0,2", "1,3"])))
def test_rin_white_ring_fills_with_the_second_stone(corner, order):
    position = rin_corner(corner, WHITE)
    before = position.stones()
    position.play(order[0])
    assert position.stones() == before | {order[0]: WHITE}
    position.play(order[1])
    assert position.stones() == before | stones(white="0,2 1,3 1,1 1,2 2,1")


def test_rin_ring_fills_after_the_first_of_two_stones():
    position = Rin.arranged(stones(black="1,2 2,1 2,3", white="2,2"), BLACK)
    position.play("3,2")
    assert position.stones()["2,2"] == BLACK
    assert position.to_move == BLACK


def test_rin_two_rings_close_at_once():
    position = Rin.arranged(stones(black="1,2 3,2 2,1 1,4 3,4 2,5", white="2,4"), BLACK)
    position.play("2,3")
    assert position.stones()["2,2"] == position.stones()["2,4"] == BLACK


def test_rin_pocket_on_the_edge_is_no_ring():
    position = play_all(Rin.arranged({}, BLACK), "0,1", "1,0")
    assert set(position.stones()) == {"0,1", "1,0"}


def test_rin_turns():
    position = make("rin")
    movers = []
    for action in ("0,0", "0,2", "0,4", "0,6", "0,8", "0,10"):
        movers.append(position.to_move)
        position.play(action)
    assert movers == [BLACK, WHITE, WHITE, BLACK, BLACK, WHITE]


@pytest.mark.parametrize(("last", "returns"), [(BLACK, [0, 0]), (WHITE, [-1, 1])])
def test_rin_ends_when_the_first_of_two_stones_fills_the_board(last, returns):
    columns = {f"{row},{column}": BLACK if column < 2 else WHITE for row in range(4) for column in range(4)}
    del columns["0,0"]
    position = Rin.arranged(columns, last, size=4)
    position.play("0,0")
    assert position.is_over
    assert position.returns() == returns


@pytest.mark.parametrize("seed", range(3))
def test_rin_immune_stones_are_never_lost(seed):
    position = Rin(size=8)
    immune: dict[str, int] = {}
    for before, _ in random_game(position, seed):
        assert immune.items() <= before.stones().items()
        assert before.immune() <= before.alive()
        immune = {point: before.stones()[point] for point in before.immune()}
    assert immune.items() <= position.stones().items()


@pytest.mark.parametrize("size", range(4, 19, 2))
def test_rin_safe_zone_size(size):
    assert len(safe_zone(size)) == 4 * size - 4


# Rive


def group_sizes(position: Position, neighbours) -> list[int]:
    return sorted((len(group) for group in components(position.stones(), neighbours)), reverse=True)


@pytest.mark.parametrize("side", range(2, 9))
def test_rive_geometry(side):
    neighbours = rive_neighbours(side)
    assert len(neighbours) == 3 * side * (side - 1) + 1
    degrees = Counter(len(near) for near in neighbours.values())
    inner = 3 * (side - 1) * (side - 2) + 1
    assert degrees == Counter({6: inner, 3: 6, 4: 6 * (side - 2)})
    assert all(cell in neighbours[near] for cell in neighbours for near in neighbours[cell])


def test_rive_neighbours_by_name():
    neighbours = rive_neighbours(4)
    assert set(neighbours["d4"]) == {"d3", "d5", "c3", "c4", "e3", "e4"}
    assert set(neighbours["a1"]) == {"a2", "b1", "b2"}
    assert set(neighbours["g4"]) == {"g3", "f4", "f5"}


def test_rive_isolated_placement_is_obligatory():
    position = play_all(make("rive"), "d4")
    assert position.legal() == set(position._points) - {"d4", *rive_neighbours(4)["d4"]}


def test_rive_capture():
    position = Rive.arranged(stones(black="a1", white="c2"), BLACK, size=2)
    assert position.legal() == {"a2", "b1", "b2", "b3", "c1"}
    position.play("b2")
    assert position.legal() == {"xa1", "xc2"}
    position.play("xa1")
    assert position.stones() == stones(black="b2", white="c2")
    assert position.to_move == BLACK  # RULES V6
    position.play("a1")
    assert position.to_move == WHITE


def test_rive_capture_of_three_groups():
    position = Rive.arranged(stones(black="a1 b3", white="c1"), WHITE, size=2)
    play_all(position, "b2", "xb3")
    assert position.legal() == {"xa1", "xc1"}
    position.play("xc1")
    assert position.stones() == stones(black="a1", white="b2")
    assert position.to_move == WHITE


def test_rive_removals_must_not_split_the_group():
    # a1, b1 and c1 c2 make a row round the middle; b3 is alone. Joining them at a2 makes one of five.
    position = Rive.arranged(stones(black="a1 b1 c1", white="b3"), BLACK, size=2)
    position.play("a2")
    assert position.legal() == {"xc1", "xb3"}


def random_placements(side: int, seed: int) -> list[tuple[Rive, str, Rive]]:
    """The placements of a random game: the position before, the cell, the position after its removals."""
    position = Rive(size=side)
    placements = [(before, act) for before, act in random_game(position, seed) if not act.startswith("x")]
    afterwards = [before for before, _ in placements[1:]] + [position]
    return [(before, cell, then) for (before, cell), then in zip(placements, afterwards, strict=True)]


@pytest.mark.parametrize("side", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_rive_placement_leaves_one_group_of_the_right_size(side, seed):
    neighbours = rive_neighbours(side)
    for before, cell, then in random_placements(side, seed):
        groups = components(before.stones(), neighbours)
        touched = [group for group in groups if group & set(neighbours[cell])]
        untouched = [len(group) for group in groups if group not in touched]
        size = max((len(group) for group in touched), default=0) + 1
        assert group_sizes(then, neighbours) == sorted([*untouched, size], reverse=True)
        assert cell in then.stones()  # RULES V5: never removed
        assert group_sizes(before, neighbours) < group_sizes(then, neighbours)  # RULES V8
        assert then.is_over or then.to_move == (before.to_move if len(touched) > 1 else 1 - before.to_move)
    assert then.is_over
    assert sorted(then.returns()) == [-1, 1]


def results_of_removals(position: Rive) -> set[frozenset[str]]:
    """What the board can look like after the capture under way, removing one stone at a time."""
    if position._joining_stone is None:
        return {frozenset(position.stones())}
    return set().union(*(results_of_removals(after(position, action)) for action in position.legal()))


@pytest.mark.parametrize("seed", range(4))
def test_rive_removals_one_by_one_reach_what_the_seed_allows(seed):
    """RULES V4 and V5 say the same: any choice of stones that leaves one group of the right size."""
    neighbours = rive_neighbours(3)
    for before, cell, _ in random_placements(3, seed):
        touched = [g for g in components(before.stones(), neighbours) if g & set(neighbours[cell])]
        size = max((len(group) for group in touched), default=0) + 1
        joined = {cell}.union(*touched)
        elsewhere = set(before.stones()) - joined
        allowed = {
            frozenset(elsewhere.union(left))
            for left in itertools.combinations(joined, size)
            if len(components(left, neighbours)) == 1
        }
        assert results_of_removals(after(before, cell)) == allowed


def test_rive_median_length_of_random_games():
    """RULES V8: a median of 57 actions on side 3."""
    lengths = sorted(sum(1 for _ in random_game(Rive(size=3), seed)) for seed in range(200))
    assert 52 <= lengths[100] <= 62


# Lin


def living(position: Lin) -> list[set[str]]:
    return [position.living(BLACK), position.living(WHITE)]


@pytest.mark.parametrize(
    ("options", "line"),
    [({"size": 5}, 4), ({"size": 7}, 5), ({"size": 9}, 6), ({}, 6), ({"size": 7, "line": 3}, 3)],
)
def test_lin_line_length(options, line):
    position = Lin(**options)
    assert position.is_alive({f"a{number}" for number in range(1, line + 1)})
    assert not position.is_alive({f"a{number}" for number in range(1, line)})


@pytest.mark.parametrize("order", list(itertools.permutations(["a2", "b1"])))
def test_lin_dead_stone_is_removed(order):
    position = Lin.arranged(stones(white="a1", black=order[0]), BLACK, size=9)
    position.play(order[1])
    assert position.stones() == stones(black="a2 b1")
    assert "a1" not in position.legal()
    assert position.scores() == [81, 78]


@pytest.mark.parametrize(("komi", "returns"), [(0, [1, -1]), (4, [1, -1]), (6, [-1, 1])])
def test_lin_end_and_komi(komi, returns):
    # Columns a to c are Black's alone, d and e White's: 15 points to 10.
    walls = stones(black="a3 b3 c1 c2 c3 c4", white="d1 d2 d3 d4 d5 e3")
    position = Lin.arranged(walls, BLACK, size=5, komi=komi)
    assert not position.is_over
    position.play("c5")
    assert position.is_over
    assert position.scores() == [15, 10 + komi]
    assert position.returns() == returns


@pytest.mark.parametrize(
    "options", [{"size": 5}, {"size": 5, "line": 3}, {"size": 7}, {"size": 7, "line": 3}, {"size": 9}]
)
@pytest.mark.parametrize("seed", range(2))
def test_lin_properties(options, seed):
    """RULES L6."""
    position = Lin(**options)
    contested = set(position._points)
    for before, action in random_game(position, seed):
        black, white = living(before)
        assert black | white == set(position._points)
        assert black & white <= contested
        contested = black & white
        assert contested <= before.legal()
        if action in living(before)[before.to_move] - living(before)[1 - before.to_move]:
            assert living(after(before, action)) == [black, white]
    black, white = living(position)
    assert black | white == set(position._points)
    assert not black & white
    assert sum(position.scores()) == len(position._points)


# Ren


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
    # White c2 is shut in but for c1, which Black gets by replacing.
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
    """In games where rui stones are replaced whenever possible, the limit is reached and kept."""
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
    """Unless the last stone captures: with b2 Black's too, a1 takes a2 and b1."""
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


# Rings


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


# Counts


@pytest.mark.parametrize(
    ("game", "options", "counts"),
    [
        ("rin", {"size": 4}, [1, 16, 16 * 15, 16 * 15 * 14]),
        ("rin", {}, [1, 256, 256 * 255]),
        ("rive", {"size": 2}, [1, 7, 6 * 3 + 6]),
        ("rive", {}, [1, 37, 37 * 36 - 2 * 90]),  # 90 pairs of neighbours
        ("lin", {"size": 5}, [1, 25, 25 * 24, 25 * 24 * 23]),
        ("lin", {}, [1, 169, 169 * 168]),
        ("ren", {"size": 4}, [1, 17, 16 * 16 + 17, 16 * (15 * 15 + 16) + 16 * 16]),
        ("ren", {}, [1, 101, 100 * 100 + 101]),
        ("rings", {"size": 2}, [1, 25, 24 * 24 + 25, 24 * (23 * 23 + 24) + 24 * 24]),
        ("rings", {}, [1, 217, 216 * 216 + 217]),
        ("rings", {"size": 2, "players": 3}, [1, 25, 24 * 24 + 25, 24 * (23 * 23 + 24) + 24 * 24 + 25]),
    ],
)
def test_counts_from_the_beginning(game, options, counts):
    assert [perft(make(game, **options), depth) for depth in range(len(counts))] == counts


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=f"{entry['game']}-{number}")
        for number, entry in enumerate(recorded())
        if entry["count"] < 6000  # `python -m tests.reference.perft` counts all
    ],
)
def test_recorded_counts(entry):
    assert perft(position_of(entry), entry["depth"]) == entry["count"]
