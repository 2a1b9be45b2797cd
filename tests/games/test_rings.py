"""Rings against examples and properties of RULES G1-G9 and against its slow reference."""

import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakomi
from games.comparing import compare_from, compare_games, other_modes, rebuilt
from games.uniformity import assert_samples_uniformly
from kakomi import IllegalAction, Position
from kakomi.kernel import use_mode
from reference.rings import Rings as Reference

BLACK, WHITE, RED = 0, 1, 2
RING = "L1 M1 K2 N2 L3 M3"  # the points of LM2 on side 6
WHITE_RING = "L3 M3 K4 N4 L5 M5"


def arranged(black: str = "", white: str = "", to_move: int = BLACK, players: int = 2, **fields) -> Position:
    stones = dict.fromkeys(black.split(), BLACK) | dict.fromkeys(white.split(), WHITE)
    return kakomi.game("rings", players=players).arranged(stones, to_move, **fields)


def marked(position: Position, overlay: str) -> dict[str, tuple[int | None, str]]:
    return {m.at: (m.player, m.text) for o in position.overlays() if o.name == overlay for m in o.marks}


def stones_in(position: Position, circle: str) -> list[int | None]:
    cell = next(cell for cell in position.game.geometry.cells if cell.name == circle)
    return [position.stones().get(position.game.geometry.names[point]) for point in cell.points]


# Examples


def test_actions_are_points_pass_end_and_circles():
    game = kakomi.game("rings", size=2)
    assert len(game.actions) == 24 + 2 + 7
    assert game.action_texts[24:27] == ("pass", "end", "xDE2")
    assert kakomi.game("rings").action("XLM2") == kakomi.game("rings").action("x lm2")
    assert kakomi.game("rings").actions[kakomi.game("rings").action("x7")].point == "X7"


def test_a_ring_beside_counts_as_influence():
    """The example of RULES G9."""
    convertible = arranged(f"{RING} K4", "N4 L5 M5").play("pass")
    assert convertible.legal() == ["end", "xLM4"]
    converted = convertible.play("xLM4")
    assert converted.to_move == WHITE  # nothing is left to convert
    assert stones_in(converted, "LM4") == [BLACK] * 6
    assert set(marked(converted, "rings")) == {"LM2", "LM4"}


def test_three_against_four_is_no_majority():
    position = arranged(RING, "K4 N4 L5 M5")
    assert position.play("pass").to_move == WHITE
    assert marked(position, "majority")["LM4"] == (WHITE, "majority")


def test_empty_points_count_for_the_defence():
    three = arranged("L1 M1 K2", "L3")
    assert three.play("pass").to_move == WHITE
    four = three.play("M3")  # 4 against 1 and the empty N2
    assert four.legal() == ["end", "xLM2"]
    assert four.play("xLM2").stones()["L3"] == BLACK


def test_stones_of_a_ring_are_spared_in_other_circles():
    position = arranged("L1 M1 K2 N2", WHITE_RING)
    assert position.scores() == [1, 1]  # on LM2 4 against 2 and the ring LM4
    assert position.play("pass").to_move == WHITE  # L3 and M3 are safe


def test_a_conversion_takes_the_loose_stones_and_spares_the_safe_ones():
    """On LM8 Black has L7 M7 K8 and the rings LM6 and JK7, 5 in all, against N8, the safe L9 M9 and the ring
    LM10."""
    black = "L5 M5 K6 N6 L7 M7 J6 I7 J8 K8"
    position = arranged(black, "L9 M9 K10 N10 L11 M11 N8")
    assert {"LM6", "JK7", "LM10"} == set(marked(position, "rings"))
    after = position.play("pass").play("xLM8").stones()
    assert after["N8"] == BLACK
    assert after["L9"] == after["M9"] == WHITE


def test_influence_gained_counts_at_once():
    position = arranged("K2 L1 M1 N2 K4 N4", "L3 M3 L5")
    first = position.play("pass")
    assert first.legal() == ["end", "xLM2"]
    second = first.play("xLM2")
    assert second.to_move == BLACK
    assert "xLM4" in second.legal()
    assert second.play("xLM4").stones()["L5"] == BLACK


def test_points_of_partial_circles_can_be_played():
    position = kakomi.game("rings").start().play("A7")
    assert position.stones() == {"A7": BLACK}


def test_the_game_ends_after_a_pass_of_every_player():
    position = kakomi.game("rings", players=3).start()
    for text in ("pass", "pass", "L1", "pass", "pass"):
        position = position.play(text)
        assert not position.is_over
    position = position.play("pass")
    assert position.is_over
    assert position.legal() == []
    assert position.scores() == [0, 0, 0]
    assert position.returns() == [0, 0, 0]


def test_a_turn_that_converts_without_a_placement_is_a_pass():
    position = arranged("L1 M1 K2 N2", "L3").play("pass").play("xLM2").play("pass")
    assert position.is_over
    assert position.scores() == [1, 0]
    assert position.returns() == [1, -1]


def test_the_last_pass_may_still_convert():
    position = arranged("L1 M1 K2 N2", "L3", WHITE).play("pass").play("pass")
    assert not position.is_over
    assert position.legal() == ["end", "xLM2"]
    assert position.play("end").is_over
    assert position.play("xLM2").is_over


def test_a_full_board_leaves_only_passes():
    game = kakomi.game("rings", size=2)
    full = game.arranged({name: k % 2 for k, name in enumerate(game.geometry.names)})
    assert full.legal() == ["pass"]


def test_winners_share():
    game = kakomi.game("rings", players=3)
    stones = dict.fromkeys(("L1", "M1", "K2", "N2"), RED) | dict.fromkeys(("L21", "M21", "K22", "N22"), BLACK)
    end = game.arranged(stones, passes=2).play("pass")
    assert end.scores() == [1, 0, 1]
    assert end.returns() == pytest.approx([0.25, -0.5, 0.25])


@pytest.mark.parametrize("options", [{"size": 7}, {"size": 1}, {"players": 1}, {"players": 7}, {"komi": 2}])
def test_options_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match=r"(has no option|isn't possible in rings)"):
        kakomi.game("rings", **options)


@pytest.mark.parametrize(
    ("actions", "forbidden", "reason"),
    [
        ("", "L3", "already a stone on that point"),
        ("", "end", "first place a stone"),
        ("", "xLM2", "first place a stone"),
        ("pass", "A7", "already placed a stone or passed"),
        ("pass", "pass", "already placed a stone or passed"),
        ("pass", "xLM4", "Black has an influence of 0 on LM4; a majority needs 4"),
        ("pass xLM2", "L1", "already a stone on that point"),
    ],
)
def test_why_illegal_names_the_rule(actions, forbidden, reason):
    position = arranged("L1 M1 K2 N2", "L3")
    for text in actions.split():
        position = position.play(text)
    with pytest.raises(IllegalAction, match=rf"{reason}.*\(RULES G[345]"):
        position.play(forbidden)


def test_why_illegal_tells_an_empty_catch_from_a_safe_one():
    own = arranged(f"{RING} L21 M21 K22 N22", "L23").play("pass")
    with pytest.raises(IllegalAction, match="there are no opposing stones to convert in LM2"):
        own.play("xLM2")
    safe = arranged("L1 M1 K2 N2 L21 M21 K22 N22", f"{WHITE_RING} L23").play("pass")
    with pytest.raises(IllegalAction, match="opposing stones in LM2 are all safe in rings"):
        safe.play("xLM2")


def test_the_account_adds_up():
    position = arranged("L1 M1 K2 N2", "L3")
    account = position.game.description.explain.account(position)
    assert account == "circles with a majority: Black 1, White 0; without one: 90"


def test_overlays_tell_influence_of_the_player_to_act():
    position = arranged(f"{RING} K4", "N4 L5 M5")
    influences = marked(position, "influence")
    assert influences["LM4"] == (BLACK, "4/4")
    assert influences["LM2"] == (BLACK, "6/4")
    assert marked(position, "majority") == {
        "LM2": (BLACK, "majority"),
        "LM4": (BLACK, "majority"),
        "JK3": (BLACK, "majority"),
    }


def test_an_overlay_tells_the_influence_of_everybody():
    position = arranged("L1 M1 K2", "N2 L3")
    (overlay,) = (overlay for overlay in position.overlays() if overlay.name == "influences")
    there = [(mark.player, mark.text) for mark in overlay.marks if mark.at == "LM2"]
    assert there == [(BLACK, "3"), (WHITE, "2")]


def test_pickled_positions_go_on_alike():
    position = arranged("L1 M1 K2 N2", "L3").play("pass")
    copy = pickle.loads(pickle.dumps(position))
    assert copy == position
    assert copy.legal() == ["end", "xLM2"]
    assert copy.play("xLM2") == position.play("xLM2")


# Properties


@given(choices=st.randoms(use_true_random=False), size=st.integers(2, 4), players=st.integers(2, 6))
@settings(max_examples=25, deadline=None)
def test_properties_of_every_action(choices, size, players):
    position = kakomi.game("rings", size=size, players=players).start()
    circles = {cell.name: cell for cell in position.game.geometry.cells}
    rings: dict[str, tuple[int | None, str]] = {}
    while not position.is_over:
        action = choices.choice(position.legal())
        after = position.play(action)
        now_rings = marked(after, "rings")
        assert rings.items() <= now_rings.items()
        rings = now_rings
        changed = {point for point, player in position.stones().items() if after.stones()[point] != player}
        safe = {
            position.game.geometry.names[point]
            for name in marked(position, "rings")
            for point in circles[name].points
        }
        assert not changed & safe
        assert bool(changed) == (action.startswith("x"))
        assert len(after.stones()) - len(position.stones()) == (action in position.game.geometry.names)
        assert sum(after.scores()) == len(marked(after, "majority")) <= len(circles)
        position = after
    assert sum(position.returns()) == pytest.approx(0)


HELPERS = (
    *("empty_count", "occupied", "safe", "own", "influence", "shares", "majority", "majorities"),
    *("convertible_by", "convertible_count"),
)


@pytest.mark.parametrize(("size", "players"), [(2, 3), (3, 2), (4, 6), (6, 2), (6, 3)])
def test_helper_fields_stay_as_if_worked_out_afresh(size, players):
    rng = random.Random(1)
    position = kakomi.game("rings", size=size, players=players).start()
    while not position.is_over:
        position = position.play(spreading(position, None, rng))
        fresh = rebuilt(position)
        for name in HELPERS:
            assert (position.state[name] == fresh.state[name]).all(), name


def test_sampling_is_uniform():
    assert_samples_uniformly(kakomi.game("rings", size=2).start())
    assert_samples_uniformly(arranged("L1 M1 K2 N2 L21 M21 K22 N22", "L3 L23").play("pass"))


# Against the slow reference


def spreading(position: Position, reference: Reference | None, rng: random.Random) -> str:
    """Mostly choose conversions, and stones beside own ones, so that rings come early."""
    del reference
    legal = position.legal()
    if rng.random() < 0.8:
        if position.state["converting"]:
            return rng.choice(legal[1:])
        near = [text for text in legal if text in beside_own(position)]
        if near:
            return rng.choice(near)
    return rng.choice(legal)


def beside_own(position: Position) -> set[str]:
    geometry = position.game.geometry
    own = {geometry.index[name] for name, player in position.stones().items() if player == position.to_move}
    return {geometry.names[point] for start in own for point in geometry.neighbours[start]}


def shy(position: Position, reference: Reference, rng: random.Random) -> str:
    """Pass often, so that games end early with possible conversions left."""
    del reference
    legal = position.legal()
    wanted = "end" if position.state["converting"] else "pass"
    return wanted if rng.random() < 0.5 else rng.choice(legal)


SMALL = [{"size": size, "players": players} for size in (2, 3) for players in (2, 3, 6)]


@pytest.mark.parametrize("options", SMALL)
@pytest.mark.parametrize("choose", [spreading, shy])
def test_eventful_games_agree_with_the_reference(options, choose):
    compare_games("rings", options, range(4), choose)


@pytest.mark.parametrize("options", [*SMALL, {"size": 4, "players": 5}, {"size": 5, "players": 4}])
def test_random_games_agree_with_the_reference(options):
    compare_games("rings", options, range(2))


@pytest.mark.parametrize("players", [2, 6])
def test_the_board_of_the_game_agrees_with_the_reference(players):
    compare_games("rings", {"players": players}, range(1), spreading, most_plies=250)


@pytest.mark.parametrize("mode", other_modes("rings"))
@pytest.mark.parametrize("players", [2, 3, 6])
def test_other_modes_agree_with_the_reference(mode, players):
    with use_mode(mode):
        compare_games("rings", {"size": 3, "players": players}, range(1), spreading)


@pytest.mark.parametrize("mode", other_modes("rings"))
def test_other_modes_agree_on_the_largest_board(mode):
    with use_mode(mode):
        compare_games("rings", {"size": 6}, range(1), spreading, most_plies=60)


@pytest.mark.parametrize("seed", range(12))
def test_crowded_positions_agree_with_the_reference(seed):
    """Random positions with many stones, including rings and possible conversions."""
    rng = random.Random(seed)
    size, players = 2 + seed % 3, 2 + seed % 5
    game = kakomi.game("rings", size=size, players=players)
    favourite = rng.randrange(players)
    stones = {
        name: favourite if rng.random() < 0.5 else rng.randrange(players)
        for name in game.geometry.names
        if rng.random() < 0.8
    }
    to_move = rng.randrange(players)
    reference = Reference.arranged(stones, to_move, size=size, players=players)
    compare_from(game.arranged(stones, to_move), reference, rng, most_plies=80)


def test_an_end_converts_nothing_not_even_in_the_last_circle():
    """RULES G5, on the full board, where the last circle is the last one possible."""
    game = kakomi.game("rings", size=6)
    points = [game.geometry.names[point] for point in game.geometry.cells[-1].points]
    stones = dict.fromkeys(points[:4], 0) | dict.fromkeys(points[4:], 1)
    position = game.arranged(stones, 0).play("pass")
    assert any(text.startswith("x") and len(text) > 3 for text in position.legal())
    assert position.play("end").stones() == stones


def test_an_overlay_tells_which_circles_can_be_converted_and_which_stones_flip():
    position = arranged(f"{RING} K4", "N4 L5 M5")  # RULES G9's example: 4 influence of black against 3
    assert marked(position, "conversions") == {
        "LM4": (BLACK, "can be converted"),
        **dict.fromkeys(["N4", "L5", "M5"], (BLACK, "would flip")),
    }
    assert marked(arranged(RING, "K4 N4 L5 M5"), "conversions") == {}
    assert marked(arranged(f"{RING} K4", "N4 L5 M5", WHITE), "conversions") == {}
