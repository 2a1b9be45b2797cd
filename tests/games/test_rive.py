"""Rive against RULES V1-V8 and against its slow reference."""

import pickle
import random

import pytest

import kakomi
from games.comparing import assert_agree, compare_from, compare_games, other_modes, rebuilt
from games.uniformity import assert_samples_uniformly
from kakomi import IllegalAction, Position
from kakomi.core import steps
from kakomi.kernel import use_mode
from reference.common import components
from reference.rive import Rive as Reference
from reference.rive import board_neighbours

BLACK, WHITE = 0, 1
RIVE = kakomi.game("rive")


def arranged(black: str = "", white: str = "", to_move: int = BLACK, size: int = 4) -> Position:
    stones = dict.fromkeys(black.split(), BLACK) | dict.fromkeys(white.split(), WHITE)
    return kakomi.game("rive", size=size).arranged(stones, to_move)


def groups(position: Position) -> list[set[str]]:
    return components(position.stones(), board_neighbours(position.game.options["size"]))


@pytest.mark.parametrize("size", range(2, 9))
def test_the_board_has_an_odd_number_of_cells(size):
    game = kakomi.game("rive", size=size)
    cells = 3 * size * (size - 1) + 1
    assert len(game.geometry.names) == cells
    assert len(game.actions) == 2 * cells
    assert game.start().legal() == list(game.geometry.names)


def test_a_stone_keeps_away_from_stones_while_it_can():
    position = RIVE.start().play("d4")
    assert set(RIVE.geometry.names) - set(position.legal()) == {"d4", *board_neighbours(4)["d4"]}


def test_a_stone_goes_beside_the_smallest_groups():
    assert arranged("a1", "c2 b3", size=2).legal() == ["b1"]  # beside a1 only; others touch two groups
    assert arranged("a1", "b1 b2 c1", size=2).legal() == ["a2", "b3", "c2"]  # all beside the one group


def test_a_placement_without_capture_ends_the_turn():
    position = RIVE.start().play("d4")
    assert position.to_move == WHITE
    assert position.play("a1").to_move == BLACK


def test_a_capture_shrinks_the_group_and_goes_on():
    position = arranged("a1 b3", "c1", size=2)
    joined = position.play("b2")
    assert joined.to_move == BLACK
    assert not joined.is_over
    assert joined.legal() == ["xa1", "xb3", "xc1"]
    shrunk = joined.play("xa1").play("xc1")
    assert shrunk.stones() == {"b2": BLACK, "b3": BLACK}
    assert shrunk.to_move == BLACK
    assert all(not text.startswith("x") for text in shrunk.legal())


CHAIN = {"black": "a1 c2", "white": "a2 c1", "size": 2}  # b1 joins the pairs to a2 a1 b1 c1 c2


def test_a_capture_may_take_stones_of_either_colour_and_lists_them_in_any_order():
    one = arranged(**CHAIN).play("b1 xa2 xa1")
    assert one.stones() == {"b1": BLACK, "c1": WHITE, "c2": BLACK}
    assert arranged(**CHAIN).play("b1 xa1 xa2") == one
    assert arranged(**CHAIN).play("b1 xa2 xc2").stones() == {"a1": BLACK, "b1": BLACK, "c1": WHITE}
    with pytest.raises(IllegalAction, match="split the group"):
        arranged(**CHAIN).play("b1 xa1 xc2")
    with pytest.raises(IllegalAction, match="split the group"):
        arranged(**CHAIN).play("b1 xa1 b3 xa2")  # b3 is placed after the capture


def test_a_full_board_ends_the_game():
    end = arranged("a1 a2 b1", "b3 c1 c2", size=2).play("b2")
    assert end.is_over
    assert end.legal() == []
    assert end.scores() == [4, 3]
    assert end.returns() == [1, -1]


def position_where(condition, size: int) -> Position:
    """The first position of random games that meets a condition."""
    rng = random.Random(1)
    position = kakomi.game("rive", size=size).start()
    while not condition(position):
        position = position.game.start() if position.is_over else position.play(rng.choice(position.legal()))
    return position


def test_only_the_joined_group_loses_stones():
    position = position_where(lambda p: p.state["excess"] and len(groups(p)) > 1, size=3)
    joined = next(group for group in groups(position) if position.legal()[0].strip("x") in group)
    others = set(position.stones()) - joined
    assert not {f"x{stone}" for stone in others} & set(position.legal())
    for stone in others:
        with pytest.raises(IllegalAction, match="isn't in the joined group"):
            position.play(f"x{stone}")


@pytest.mark.parametrize("excess", [0, 4])
def test_placements_and_removals_are_drawn_uniformly(excess):
    position = position_where(lambda p: p.state["excess"] == excess and 2 < len(p.legal()) < 9, size=3)
    assert_samples_uniformly(position)


def test_why_illegal_names_the_rule():
    start = arranged("a1 b3", "c1", size=2)
    joined = start.play("b2")
    for position, action, reason in [
        (start, "a1", "there is already a stone on that cell"),
        (RIVE.start().play("d4"), "d5", "a stone next to it, and there are still cells with no stones"),
        (
            arranged("a1", "c2 b3", size=2),
            "a2",
            "a group of 2 is next to it, and there are still cells next to groups of at most 1",
        ),
        (start, "xa1", "nothing to remove"),
        (joined, "a2", "remove 2 more stones"),
        (joined, "xa2", "no stone on that cell"),
        (joined, "xb2", "split the group"),
        (arranged(**CHAIN).play("b1"), "xc1", "split the group"),
        (start, "q7", "'q7' isn't an action in Rive: actions look like a1, xa1"),
    ]:
        with pytest.raises(IllegalAction, match=reason):
            position.play(action)


def test_overlays_show_sizes_and_removals():
    position = arranged("a1 b3", "c1", size=2)
    marks = {overlay.name: {mark.at: mark.text for mark in overlay.marks} for overlay in position.overlays()}
    assert marks["groups"] == {"a1": "1", "b3": "1", "c1": "1"}
    assert marks["beside"] == dict.fromkeys(["a2", "b1", "b2", "c2"], "1")
    assert marks["capture"] == {}
    joined = position.play("b2")
    marks = {overlay.name: {mark.at: mark.text for mark in overlay.marks} for overlay in joined.overlays()}
    assert set(marks["capture"]) == {"a1", "b3", "c1"}
    assert marks["groups"] == dict.fromkeys(["a1", "b2", "b3", "c1"], "4")
    assert joined.scene(overlays=["groups", "beside", "capture"])


def test_a_position_in_a_capture_can_be_rebuilt_whichever_stone_joined_the_group():
    """The same stones, reached by placing different stones last, are one position."""
    joined = arranged("a1 b3", "c1", size=2).play("b2")
    assert rebuilt(joined).play("xa1") == joined.play("xa1")
    assert pickle.loads(pickle.dumps(joined)) == joined
    named = {joined.game.point(stone) for stone in ("a1", "b2", "b3", "c1")}
    same = {joined.game.arranged(joined.stones(), BLACK, excess=2, shrinking=point) for point in named}
    assert same == {joined}


@pytest.mark.parametrize("size", [2, 3, 4])
def test_sizes_of_groups_grow_with_every_placement(size):
    """RULES V8: the list of sizes, largest first, grows lexicographically, so that games end."""
    for seed in range(3):
        rng = random.Random(seed)
        position = kakomi.game("rive", size=size).start()
        before: list[int] = []
        while not position.is_over:
            position = position.play(rng.choice(position.legal()))
            sizes = sorted(map(len, groups(position)), reverse=True)
            if position.state["excess"] == 0:
                assert sizes > before
                before = sizes


# The rules' helper fields


def holes_of(group: set[str], size: int) -> int:
    """The number of areas that a group separates from the edge."""
    neighbours = board_neighbours(size)
    areas = components(set(neighbours) - group, neighbours)
    return sum(all(len(neighbours[point]) == 6 for point in area) for area in areas)


def assert_groups_are_known(position: Position) -> None:
    """Check the stored name, holes and circular list of stones of every group, also of a shrinking one."""
    state, names, size = position.state, position.game.geometry.names, position.game.options["size"]
    shrinking = {names[point] for point in state["choices"][: state["choice_count"]]}
    for group in groups(position):
        if state["excess"] and group == shrinking:
            assert names[state["shrinking"]] == min(group, key=position.game.point)
            assert state["holes"] == holes_of(group, size)
            continue
        (name,) = {state["rive_groups"][position.game.point(stone)] for stone in group}
        circle = [name]
        while len(circle) <= len(group) and state["next_in_group"][circle[-1]] != name:
            circle.append(state["next_in_group"][circle[-1]])
        assert {names[point] for point in circle} == group and len(circle) == len(group)
        assert state["group_sizes"][name] == len(group)
        assert state["group_holes"][name] == holes_of(group, size)


@pytest.mark.parametrize("seed", range(6))
def test_groups_are_known_as_they_are_after_every_action_and_when_rebuilt(seed):
    rng, size = random.Random(seed), 3 + seed % 3
    names = kakomi.game("rive", size=size).geometry.names
    stones = {name: rng.randrange(2) for name in names if rng.random() < 0.6}
    position = kakomi.game("rive", size=size).arranged(stones, seed % 2)
    for _ in range(30):
        assert_groups_are_known(position)
        assert_groups_are_known(rebuilt(position))
        if position.is_over:
            break
        position = position.play(grasping(position, None, rng))


def winding_group(size: int, stones: int, rng: random.Random) -> set[str]:
    """A connected group mostly of stones with few neighbours, with arms, rings, and arms inside rings."""
    neighbours = board_neighbours(size)
    group = {rng.choice(sorted(neighbours))}
    while len(group) < stones:
        beside = {near for stone in group for near in neighbours[stone]} - group
        crowding = {point: sum(near in group for near in neighbours[point]) for point in sorted(beside)}
        group.add(rng.choices(list(crowding), [4.0**-crowded for crowded in crowding.values()])[0])
    return group


@pytest.mark.parametrize("seed", range(60))
def test_a_stone_of_any_group_may_go_if_the_others_hang_together(seed):
    """RULES V5, for groups that play rarely makes."""
    rng, size = random.Random(seed), 4 + seed % 3
    group = winding_group(size, rng.randrange(8, 30), rng)
    game = kakomi.game("rive", size=size)
    position = game.arranged(
        {stone: rng.randrange(2) for stone in group}, excess=1, shrinking=game.point(min(group))
    )
    whole = [stone for stone in group if len(components(group - {stone}, board_neighbours(size))) == 1]
    assert set(position.legal()) == {f"x{stone}" for stone in whole}
    assert_groups_are_known(position)


def test_holes_are_counted_afresh_when_a_used_state_is_set_up():
    ring = dict.fromkeys(board_neighbours(4)["d4"], BLACK)
    game = kakomi.game("rive")
    position = game.arranged(ring, excess=1, shrinking=game.point(min(ring)))
    states = position.states()
    states["holes"], states["group_holes"] = -1, 5
    used = Position(game, states, steps.rebuild(game.board, states, game.scratch))
    assert_groups_are_known(used)
    assert used.state["holes"] == position.state["holes"] == 1
    assert used.legal() == position.legal() and len(used.legal()) == 6
    states["excess"], states["shrinking"] = 0, -1
    assert_groups_are_known(Position(game, states, steps.rebuild(game.board, states, game.scratch)))


# Against the slow reference


def grasping(position: Position, reference: Reference, rng: random.Random) -> str:
    """Mostly choose placements that join groups, and captures of stones inside a group."""
    legal = position.legal()
    if rng.random() < 0.8:
        neighbours = board_neighbours(position.game.options["size"])
        beside = {
            text: sum(near in position.stones() for near in neighbours[text.strip("x")]) for text in legal
        }
        most = max(beside.values())
        legal = [text for text in legal if beside[text] == most]
    return rng.choice(legal)


@pytest.mark.parametrize(("size", "games"), [(2, 20), (3, 8), (4, 3), (5, 1)])
def test_random_games_agree_with_the_reference(size, games):
    compare_games("rive", {"size": size}, range(games))


@pytest.mark.parametrize(("size", "games"), [(3, 6), (4, 2), (5, 1)])
def test_games_of_large_captures_agree_with_the_reference(size, games):
    compare_games("rive", {"size": size}, range(games), grasping, most_plies=500)


@pytest.mark.parametrize("size", [6, 7, 8])
def test_long_games_begin_as_the_reference_says(size):
    compare_games("rive", {"size": size}, range(1), most_plies=60)


@pytest.mark.parametrize("seed", range(14))
def test_crowded_positions_agree_with_the_reference(seed):
    """Large groups with holes, which random play rarely reaches."""
    rng = random.Random(seed)
    size = 3 + seed % 6
    names = kakomi.game("rive", size=size).geometry.names
    share = 0.5 + 0.4 * rng.random()
    stones = {name: rng.randrange(2) for name in names if rng.random() < share}
    position = kakomi.game("rive", size=size).arranged(stones, seed % 2)
    reference = Reference.arranged(stones, seed % 2, size=size)
    compare_from(position, reference, rng, grasping, most_plies=40)


@pytest.mark.parametrize("mode", other_modes("rive"))
@pytest.mark.parametrize(("size", "plies"), [(2, 0), (3, 0), (8, 25)])
def test_other_modes_agree_with_the_reference(mode, size, plies):
    with use_mode(mode):
        compare_games("rive", {"size": size}, range(1), grasping, most_plies=plies)


@pytest.mark.parametrize("mode", other_modes("rive"))
def test_other_modes_agree_on_crowded_boards(mode):
    rng = random.Random(5)
    game = kakomi.game("rive", size=6)
    stones = {name: rng.randrange(2) for name in game.geometry.names if rng.random() < 0.75}
    with use_mode(mode):
        position = game.arranged(stones, WHITE)
        reference = Reference.arranged(stones, WHITE, size=6)
        assert_agree(position, reference)
        compare_from(position, reference, rng, grasping, most_plies=30)


def test_a_capture_of_no_group_is_no_position():
    with pytest.raises(ValueError, match="shrinking can't be -1"):
        kakomi.game("rive", size=3).arranged({"c3": 0}, excess=1)
