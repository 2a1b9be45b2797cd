"""Lin against examples and properties of RULES L1-L6 and against its slow reference."""

import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakomi
from games.comparing import assert_agree, compare_from, compare_games, other_modes, rebuilt
from games.uniformity import assert_samples_uniformly
from kakomi import IllegalAction, Position
from kakomi.kernel import use_mode
from reference.lin import Lin as Reference

BLACK, WHITE = 0, 1
EVERY_OPTION = [
    *({"size": 5, "line": line} for line in (3, 4, 5)),
    *({"size": 7, "line": line, "komi": 8} for line in (3, 4, 5, 6)),
    {"size": 9, "komi": 4},
]


def arranged(black: str = "", white: str = "", to_move: int = BLACK, size: int = 5, **options) -> Position:
    stones = dict.fromkeys(black.split(), BLACK) | dict.fromkeys(white.split(), WHITE)
    return kakomi.game("lin", size=size, **options).arranged(stones, to_move)


def marked(position: Position, overlay: str) -> dict[str, int | None]:
    return {mark.at: mark.player for o in position.overlays() if o.name == overlay for mark in o.marks}


def contested(position: Position) -> set[str]:
    return set(marked(position, "contested"))


# Examples


def test_a_piece_without_room_for_a_line_dies():
    before = arranged("a1", "b1 b2 b3", WHITE)
    after = before.play("a4")
    assert after.stones() == {"b1": WHITE, "b2": WHITE, "b3": WHITE, "a4": WHITE}
    assert set(marked(after, "territory")) == {"a1", "a2", "a3", "a4", "b1", "b2", "b3"}
    assert after.scores() == [18, 25]
    assert not {"a1", "a2", "a3"} & set(after.legal())


def test_a_piece_with_room_for_a_line_lives():
    after = arranged("a1", "b1 b2 b3", WHITE, line=3).play("a4")
    assert after.stones()["a1"] == BLACK
    assert {"a2", "a3"} <= set(after.legal())


def test_a_whole_domain_dies_with_its_last_line():
    before = arranged("a3 d2", "a1 b2 c3 d4", WHITE, line=5, komi=6)
    half = before.play("e4")  # row 5 is left, but no line below the diagonal
    assert "d2" not in half.stones()
    assert half.scores() == [11, 30]
    after = before.play("e5")
    assert after.is_over
    assert after.legal() == []
    assert after.stones() == dict.fromkeys(("a1", "b2", "c3", "d4", "e5"), WHITE)
    assert after.scores() == [0, 31]
    assert after.returns() == [-1, 1]


def test_one_stone_kills_several_pieces_at_once():
    before = arranged("a1 a5", "b1 b2 b3 b4 b5", WHITE)
    assert {"a1", "a5"} <= set(before.stones())
    after = before.play("a3")
    assert not {"a1", "a5"} & set(after.stones())
    assert all(marked(after, "territory")[f"a{row}"] == WHITE for row in range(1, 6))


@pytest.mark.parametrize("turned", [False, True])
def test_taken_points_give_room_for_a_line(turned):
    """White's corner of a1-a4 and b1-b3 later lives by the line a1-a4, through formerly black points."""

    def at(names: str) -> str:
        swapped = dict(zip("abcde12345", "12345abcde", strict=True))
        return " ".join(swapped[n[1]] + swapped[n[0]] if turned else n for n in names.split())

    before = arranged(at("a1 c1 c2 c3 b4"), at("b1 b2 b3"), WHITE)
    taken = before.play(at("a4"))
    assert taken.stones().get(at("a1")) is None
    walled = taken.play(at("a5"))
    assert at("a4") in walled.stones()
    assert at("a1") in walled.legal()
    assert walled.scores() == [18, 20]


def test_ones_own_territory_may_be_filled_and_changes_nothing():
    before = arranged("", "b1 b2 b3 a4", WHITE)
    after = before.play("a2")
    assert after.scores() == before.scores()
    assert contested(after) == contested(before)
    assert marked(after, "territory") == marked(before, "territory")


def test_territory_can_change_hands():
    before = arranged("a2 b1", "b2 c1", WHITE)
    assert marked(before, "territory") == {"a1": BLACK, "a2": BLACK, "b1": BLACK, "b2": WHITE, "c1": WHITE}
    after = before.play("a3")
    assert set(after.stones()) == {"a3", "b2", "c1"}
    assert marked(after, "territory") == dict.fromkeys(("a1", "a2", "a3", "b1", "b2", "c1"), WHITE)


def test_komi_counts_for_white():
    assert kakomi.game("lin", size=9, komi=10).start().scores() == [81, 91]
    assert kakomi.game("lin", size=9).start().scores() == [81, 81]


@pytest.mark.parametrize(("size", "line"), [(5, 4), (7, 5), (9, 6), (19, 6)])
def test_the_usual_line(size, line):
    assert kakomi.game("lin", size=size).options["line"] == line


@pytest.mark.parametrize(
    "options",
    [
        {"size": 8},
        {"size": 3},
        {"size": 21},
        {"size": 9, "line": 5},
        {"size": 5, "line": 6},
        {"size": 7, "line": 2},
        {"komi": 3},
        {"komi": -2},
        {"size": 5, "komi": 26},
        {"lin": 6},
    ],
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match=f"(has no option|{list(options)[-1]} -?[0-9]+ isn't possible) .*"):
        kakomi.game("lin", **options)


def test_why_illegal_names_the_rule():
    position = arranged("a5", "b1 b2 b3 a4", BLACK)
    with pytest.raises(IllegalAction, match=r"already a stone on that point.*RULES L3"):
        position.play("b1")
    with pytest.raises(IllegalAction, match=r"White's territory: Black has no room for a line of 4"):
        position.play("a1")


def test_the_account_adds_up():
    account = kakomi.game("lin").description.explain.account
    assert account(arranged("", "b1 b2 b3 a4", komi=2)) == (
        "points: Black 0, White 9, contested 18 (White's include a komi of 2)"
    )


def test_contested_points_are_told_apart_from_those_of_each_player():
    position = kakomi.game("lin", size=9).start().play("e5")
    assert position.scores() == [81, 80] and position.contested() == 80
    assert position.scores_in_words() == "Black 1, White 0, contested 80"
    over = arranged("b1 b2 b3 b4 b5 a3", "d1 d2 d3 d4 d5 c1 c2 c3 c4 c5 e3")
    assert over.is_over and not over.contested() and "contested" not in over.scores_in_words()


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_stones_arranged_in_dead_domains_are_taken_off(to_move):
    position = arranged("a1", "b1 b2 b3 a4", to_move)
    assert set(position.stones()) == {"b1", "b2", "b3", "a4"}
    assert set(marked(position, "territory")) == {"a1", "a2", "a3", "a4", "b1", "b2", "b3"}
    assert ("a1" in position.legal()) == (to_move == WHITE)


def test_pickled_positions_go_on_alike():
    position = arranged("a1", "b1 b2 b3", WHITE)
    copy = pickle.loads(pickle.dumps(position))
    assert copy == position
    assert copy.play("a4") == position.play("a4")


# Properties (RULES L6)


@given(choices=st.randoms(use_true_random=False), options=st.sampled_from(EVERY_OPTION))
@settings(max_examples=25, deadline=None)
def test_properties_of_every_turn(choices, options):
    position = kakomi.game("lin", **options).start()
    names = position.game.geometry.names
    disputed = set(names)
    while not position.is_over:
        before, action = position, choices.choice(position.legal())
        position = before.play(action)
        now_disputed = contested(position)
        territory = marked(position, "territory")
        assert now_disputed | set(territory) == set(names)
        assert not now_disputed & set(territory)
        assert all(territory[point] == player for point, player in position.stones().items())
        assert now_disputed <= disputed - {action}
        assert position.is_over == (not now_disputed)
        if action not in disputed:
            assert now_disputed == disputed
            assert position.scores() == before.scores()
        disputed = now_disputed
        assert position.is_over or position.legal()
    assert sum(position.scores()) == len(names) + options.get("komi", 0)
    assert position.returns() in ([1, -1], [-1, 1])


HELPERS = ("counts", "open_count", "free_in_row", "free_in_column", "lin_in_row", "lin_in_column")


@pytest.mark.parametrize("options", [*EVERY_OPTION, {"size": 13}, {"size": 19}])
def test_helper_fields_stay_as_if_worked_out_afresh(options):
    rng = random.Random(1)
    position = kakomi.game("lin", **options).start()
    while not position.is_over:
        position = position.play(rng.choice(position.legal()))
        fresh = rebuilt(position)
        for name in HELPERS:
            assert (position.state[name] == fresh.state[name]).all(), name
        for player in (BLACK, WHITE):
            opened, opened_afresh = (
                set(p.state["open"][player][: p.state["open_count"][player]]) for p in (position, fresh)
            )
            assert opened == opened_afresh


def test_sampling_is_uniform():
    position = arranged("d1 d2 d3 e4", "b1 b2 b3 a4", WHITE)
    assert len(set(position.legal())) == 14
    assert_samples_uniformly(position)
    assert_samples_uniformly(position.play("a1"))


# Against the slow reference


def cutting(position: Position, reference: Reference, rng: random.Random) -> str:
    """Often choose an action that kills stones, if there is one."""
    del reference
    legal = position.legal()
    if rng.random() < 0.7:
        killing = [text for text in legal if len(position.play(text).stones()) <= len(position.stones())]
        if killing:
            return rng.choice(killing)
    return rng.choice(legal)


@pytest.mark.parametrize("options", EVERY_OPTION)
def test_random_games_agree_with_the_reference(options):
    compare_games("lin", options, range(6))


@pytest.mark.parametrize("options", EVERY_OPTION)
def test_cutting_games_agree_with_the_reference(options):
    compare_games("lin", options, range(2), cutting)


@pytest.mark.parametrize("size", [11, 13, 19])
def test_large_boards_agree_with_the_reference(size):
    compare_games("lin", {"size": size}, range(1), most_plies=250)


@pytest.mark.parametrize("mode", other_modes("lin"))
@pytest.mark.parametrize("options", EVERY_OPTION)
def test_other_modes_agree_with_the_reference(mode, options):
    with use_mode(mode):
        compare_games("lin", options, range(1))


@pytest.mark.parametrize("mode", other_modes("lin"))
def test_other_modes_agree_on_the_largest_board(mode):
    with use_mode(mode):
        compare_games("lin", {"size": 19}, range(1), most_plies=60)


@pytest.mark.parametrize("seed", range(20))
def test_crowded_positions_agree_with_the_reference(seed):
    """Positions that may be unreachable by play: the stones left after removing dead ones follow the
    rules."""
    rng = random.Random(seed)
    size = (5, 7, 9, 13)[seed % 4]
    game = kakomi.game("lin", size=size)
    density, blackness = rng.uniform(0.1, 0.7), rng.uniform(0.2, 0.8)
    stones = {name: int(rng.random() > blackness) for name in game.geometry.names if rng.random() < density}
    position = game.arranged(stones, seed % 2)
    reference = Reference.arranged(position.stones(), seed % 2, size=size)
    assert_agree(position, reference)
    for player in (BLACK, WHITE):
        assert reference.living(player).issuperset(
            point for point, owner in position.stones().items() if owner == player
        )
    assert rebuilt(position) == position
    compare_from(position, reference, rng, most_plies=60)
