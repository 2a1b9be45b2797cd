"""First turns: their equivalence, checked without symmetries of actions, their frequency and their value."""

import itertools
import math
from dataclasses import replace

import pytest

from kakomi import Game, catalog
from kakomi.openings import TurnClasses, exact_margins, opening_map
from kakomi.study.openings import OpeningStudy, OpeningTable, OpeningTrial, try_opening
from kakomi.study.report.estimates import both_tails
from reference import make
from solve import brute_force

BOARDS = (
    ("lin", {"size": 5}),
    ("lin", {}),
    ("ren", {"size": 8}),
    ("ren", {}),
    ("rin", {"size": 8}),
    ("rin", {}),
    ("rings", {"size": 3, "players": 3}),
    ("rings", {}),
    ("rive", {"size": 3}),
    ("rive", {}),
)


def kinds_of_points(game: Game) -> int:
    """The number of points up to symmetry, by mathematical coordinates."""
    size = game.options["size"]
    if game.geometry.kind == "square":
        return len({tuple(sorted((min(x, size - 1 - x), min(y, size - 1 - y)))) for x, y in square(size)})
    hexagons = cubes(size)
    if game.geometry.kind == "hexagon":
        return len({least_image([cube]) for cube in hexagons})
    corners = {
        tuple(sorted((cube, beside(cube, side), beside(cube, side + 1))))
        for cube in hexagons
        for side in range(6)
    }
    return len({least_image(corner) for corner in corners})


def square(size: int) -> list[tuple[int, int]]:
    return list(itertools.product(range(size), repeat=2))


def cubes(side: int) -> list[tuple[int, ...]]:
    """The cells of a hexagon as three coordinates whose sum is 0."""
    numbers = range(1 - side, side)
    return [(x, y, -x - y) for x in numbers for y in numbers if abs(x + y) < side]


def beside(cube: tuple[int, ...], side: int) -> tuple[int, ...]:
    around = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))
    return tuple(at + step for at, step in zip(cube, around[side % 6], strict=True))


def least_image(places: object) -> tuple[tuple[int, ...], ...]:
    """The least image of some cells under the twelve symmetries of a hexagon, which permute coordinates and
    flip signs."""
    assert isinstance(places, list | tuple)
    return min(
        tuple(sorted(tuple(sign * cube[axis] for axis in axes) for cube in places))
        for axes in itertools.permutations(range(3))
        for sign in (1, -1)
    )


@pytest.mark.parametrize(("name", "options"), BOARDS)
def test_first_turns_are_counted_up_to_symmetry(name: str, options: dict[str, int]) -> None:
    game = catalog.game(name, **options)
    found = TurnClasses(game).all
    assert found is not None
    passes = sum(action.kind == "pass" for action in game.actions)
    assert len(found) == kinds_of_points(game) + passes
    assert sum(one.members for one in found) == game.geometry.points + passes
    turns = {game.geometry.kind: len(game.geometry.symmetries)}
    assert all(turns[game.geometry.kind] % one.members == 0 for one in found)


@pytest.mark.parametrize(("name", "options"), BOARDS[::2])
def test_members_are_the_positions_that_look_alike(name: str, options: dict[str, int]) -> None:
    """The test maps stones on the board, while the module maps actions."""
    game = catalog.game(name, **options)
    classes = TurnClasses(game)
    assert classes.all is not None
    together: dict[tuple[int, ...], set[int]] = {}
    for action in game.start().legal_actions():
        stones = game.start().play_action(action).state["stones"][: game.geometry.points].tolist()
        images = [
            tuple(stone for _, stone in sorted(zip(points, stones, strict=True)))
            for points in game.geometry.symmetries
        ]
        together.setdefault(min(images), set()).add(action)
    expected = sorted((min(actions), len(actions)) for actions in together.values())
    assert sorted((one.turn[0], one.members) for one in classes.all) == expected


def test_a_class_is_the_same_whichever_of_its_turns_is_asked_about() -> None:
    classes = TurnClasses(catalog.game("rive", size=3))
    for action in classes.game.start().legal_actions():
        found = {classes.class_of(image) for image in classes.images((action,))}
        assert len(found) == 1


def test_the_order_of_two_stones_that_lead_to_the_same_makes_no_difference() -> None:
    game = catalog.game("rin", size=8)
    classes = TurnClasses(game)
    first, one, other, elsewhere = map(game.action, ("0,0", "2,3", "5,6", "3,2"))
    assert classes.class_of((first, one, other)).key == classes.class_of((first, other, one)).key
    reflected = classes.class_of((first, game.action("6,5"), elsewhere)).key
    assert classes.class_of((first, one, other)).key == reflected


def test_a_game_whose_sides_differ_has_each_turn_for_itself() -> None:
    plain = catalog.game("lin", size=5, komi=22)  # symmetries are cached by game and options
    classes = TurnClasses(Game(replace(plain.description, is_symmetric=False), plain.options))
    assert classes.all is not None
    assert [one.members for one in classes.all] == [1] * 25


def test_too_many_turns_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.openings.MOST_TURNS", 24)
    assert TurnClasses(catalog.game("lin", size=5)).all is None


LIN = catalog.game("lin", size=5)
RIN = catalog.game("rin", size=4)


def made(*turns: str, expected: float | None = 0.5) -> list[OpeningTrial]:
    """Searches with these first turns, each followed by a slash and the reply, if any."""
    return [
        OpeningTrial(
            tuple(tuple(part.split()) for part in turn.split("/")),
            tuple(expected for _ in turn.split("/")),
        )
        for turn in turns
    ]


def test_a_search_can_be_repeated_and_says_what_it_expects() -> None:
    one = try_opening("rin", {"size": 4}, "5", 2, seed=7)
    assert one == try_opening("rin", {"size": 4}, "5", 2, seed=7)
    assert [len(turn) for turn in one.turns] == [1, 2], "Rin's first turn is one stone (RULES R1)"
    assert all(share is not None and 0 < share < 1 for share in one.expected)
    played = RIN.start()
    for text in (text for turn in one.turns for text in turn):
        played = played.play(text)
    assert played.to_move == 0
    assert {try_opening("rin", {"size": 4}, "5", 1, seed=seed).turns for seed in range(9)} != {one.turns}
    assert try_opening("rin", {"size": 4}, "random", 1, seed=7).expected == (None,)


def test_a_player_of_several_seats_is_asked_like_any_other() -> None:
    game = catalog.game("rings", size=2, players=4)
    table = OpeningTable(game, [try_opening("rings", game.options, "1", 2, seed=n) for n in range(6)])
    assert sum(row.count for row in table.rows) == 6 and len(table.rows) == 4
    assert table.expected is not None and 0 < table.expected.value < 0.6


def test_a_table_without_a_search_is_refused() -> None:
    with pytest.raises(ValueError, match="no search was made"):
        OpeningTable(LIN, [])


def test_shares_are_those_of_all_searches() -> None:
    table = OpeningTable(LIN, made("a1", "e5", "a5", "c3", "b1", "d5", "a4", "a1"))
    assert [(row.turn, row.members, row.count) for row in table.played] == [
        ("a1", 4, 4),
        ("b1", 8, 3),
        ("c3", 1, 1),
    ]
    assert len(table.rows) == 6 and table.positions == 25
    assert sum(row.share.value for row in table.rows) == pytest.approx(1)
    assert sum(row.even or 0 for row in table.rows) == pytest.approx(1)
    assert all(row.share.low <= row.share.value <= row.share.high for row in table.rows)


def test_only_what_chance_does_not_explain_differs() -> None:
    """The centre has a chance of 1/25. By hand, the first of six tests is corrected by six."""
    searches = 40
    table = OpeningTable(LIN, made(*["c3"] * 8, *["b2", "b1", "a1", "c1"] * 8))
    by_turn = {row.turn: row for row in table.rows}
    tail = math.fsum(
        math.comb(searches, k) * 0.04**k * 0.96 ** (searches - k) for k in range(8, searches + 1)
    )
    assert by_turn["c3"].chance == pytest.approx(6 * 2 * tail)
    assert by_turn["c3"].differs == 1
    assert by_turn["c2"].chance == pytest.approx(5 * 2 * 0.84**searches)
    assert by_turn["c2"].differs == -1, "none of 40, where four of 25 positions are such"
    assert [by_turn[turn].differs for turn in ("a1", "b1", "c1", "b2")] == [0, 0, 0, 0]
    rare = OpeningTable(LIN, made(*["a1"] * 60))
    assert next(row for row in rare.rows if row.turn == "b1").differs == -1
    assert both_tails(0, 10, 0.5) == pytest.approx(2 / 1024) and both_tails(5, 10, 0.5) == 1.0


def test_expectations_are_means_over_the_searches_that_played_a_turn() -> None:
    some = made("c3", "c3", "c3", "c3", "a1")
    told = [
        OpeningTrial(one.turns, (share,)) for one, share in zip(some, (0.5, 0.6, 0.7, 0.6, 0.1), strict=True)
    ]
    middle, corner = OpeningTable(LIN, told).played
    assert middle.expected is not None and corner.expected is not None
    assert middle.expected.value == pytest.approx(0.6)
    assert middle.expected.low < 0.6 < middle.expected.high
    assert corner.expected.value == pytest.approx(0.1) and not corner.expected.has_interval
    assert OpeningTable(LIN, made("c3", expected=None)).played[0].expected is None
    apart = [
        OpeningTrial(one.turns, (share,))
        for one, share in zip(made("c3", "c3", "c3"), (0.0, 0.1, 1.0), strict=True)
    ]
    found = OpeningTable(LIN, apart).played[0].expected
    assert found is not None and (found.low, found.high) == (0.0, 1.0), "a share is from 0 to 1"


def test_replies_are_told_as_if_all_had_begun_alike() -> None:
    """Replies are next to the corner stone. Those mirrored in the diagonal are equivalent."""
    table = OpeningTable(LIN, made("a1/b1", "e5/d5", "a5/a4", "e1/e3", "c3/a1"))
    corner = table.played[0]
    assert [(reply.turn, reply.count) for reply in table.replies(corner)] == [("b1", 3), ("c1", 1)]
    assert sum(reply.share.value for reply in table.replies(corner)) == pytest.approx(1)
    assert [reply.turn for reply in table.replies(table.played[1])] == ["a1"]
    assert table.replies(next(row for row in table.rows if not row.count)) == []


def test_turns_that_nobody_lists_are_counted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.openings.MOST_TURNS", 5)
    table = OpeningTable(LIN, made("a1", "e5", "c3"))
    assert [(row.turn, row.count, row.even, row.differs) for row in table.rows] == [
        ("a1", 2, None, 0),
        ("c3", 1, None, 0),
    ]
    assert table.positions is None


def test_a_map_spreads_each_turn_over_its_places() -> None:
    ren = catalog.game("ren", size=4)
    table = OpeningTable(ren, made("a1", "a1", "b1", "pass"))
    found = opening_map(table.classes, ((row.actions, row.share.value) for row in table.played))
    assert found.elsewhere == pytest.approx(0.25)
    assert sum(found.places.values()) + found.elsewhere == pytest.approx(1)
    assert found.places["d4"] == pytest.approx(0.5 / 4) and found.places["c1"] == pytest.approx(0.25 / 8)
    assert "b2" not in found.places and found.most == pytest.approx(0.125)
    study = OpeningStudy(ren, 4, bot="1")
    study.kept = dict(enumerate(table.trials))
    drawn = study.written()
    assert drawn.count('class="heat"') == 12
    assert "<title>d4: the first stone of 12.5 % of searches</title>" in drawn
    assert "Where level 1 begins" in drawn and "25.0 % of first turns touch no place" in drawn
    assert "prefers-color-scheme:dark" in drawn


def test_exact_margins_are_those_of_brute_force() -> None:
    classes = TurnClasses(catalog.game("rive", size=2))
    assert classes.all is not None
    found = exact_margins(classes, 16)
    start = make("rive", size=2)
    for one in classes.all:
        assert found[one.key] == brute_force.value(brute_force.after(start, classes.spelled(one.turn)), 0)


def test_solving_says_how_far_it_is() -> None:
    classes = TurnClasses(RIN)
    told: list[tuple[int, int, int]] = []
    found = exact_margins(classes, 64, lambda *progress: told.append(progress))
    assert set(found.values()) == {0}, "Rin 4×4 is a draw (docs/solved.md), so none is better"
    assert told and {of for _, of, _ in told} == {3} and told[-1][2] >= told[0][2] > 0


def test_the_best_are_those_of_the_largest_margin() -> None:
    rive = catalog.game("rive", size=2)
    classes = TurnClasses(rive)
    table = OpeningTable(rive, made("b2", "a1", "b2", "c2"))
    found = table.exact_shares(exact_margins(classes, 16))
    assert found.best.value == found.kept.value == pytest.approx(0.5)
    assert found.best_evenly == found.kept_evenly == pytest.approx(1 / 7)
    margins = {row.key: {"b2": 4, "a1": 2}[row.turn] for row in table.rows}
    assert table.exact_shares(margins).kept.value == 1 and table.exact_shares(margins).best.value == 0.5


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [("rings", {"size": 2, "players": 3}, "has 3 players here; first turns are solved among two")],
)
def test_what_cannot_be_solved_is_said(name: str, options: dict[str, int], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        exact_margins(TurnClasses(catalog.game(name, **options)))
