"""Games unlike Kakomi's own: starting stones, moves, kinds of pieces, and refusals."""

import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.skirmish import DICE, RULES, list_actions, rhombus, skirmish
from kakomi import Game, Position
from kakomi.boards import Geometry, letter_board
from kakomi.core.position import rotate_players
from kakomi.core.validation import unmet_requirements
from kakomi.kernel import use_mode
from kakomi.kernel.records import board_record
from kakomi.research import images, observation_spec, observe
from kakomi.solve import Solver


@pytest.fixture(autouse=True)
def interpreted() -> Any:
    with use_mode("interpreted"):
        yield


def random_game(game: Game, seed: int, most_plies: int = 40) -> list[Position]:
    rng, positions = random.Random(seed), [game.start()]
    while not positions[-1].is_over and positions[-1].ply < most_plies:
        positions.append(positions[-1].play_action(rng.choice(positions[-1].legal_actions())))
    return positions


def test_an_arranged_position_has_no_stones_but_those_given() -> None:
    game = skirmish()
    position = game.arranged({"b2": 0, "c3": 2, "d4": 3}, 1)
    assert position.stones() == {"b2": 0, "c3": 0, "d4": 1}
    assert position == game.position(str(position))


def test_pieces_of_several_kinds_are_told_apart_everywhere() -> None:
    game = skirmish()
    start = game.start()
    assert start.stones() == {"a1": 0, "b1": 0, "c1": 0, "d1": 0, "a4": 1, "b4": 1, "c4": 1, "d4": 1}
    assert {name for name, kind in start.kinds().items() if kind} == {"b1", "c4"}
    assert str(start) == "bkbb/4/4/wwiw b"
    for position in random_game(game, 1):
        assert game.position(str(position)) == position
        other = rotate_players(position)
        assert other.kinds() == position.kinds()
        assert other.stones() == {name: 1 - player for name, player in position.stones().items()}
    assert start.scene().kinds == {"b1": 1, "c4": 1}
    assert start.scene().owners == start.stones()
    assert start.svg().count(">K<") == 2


def test_a_piece_that_nobody_has_is_refused() -> None:
    game = skirmish()
    with pytest.raises(ValueError, match="piece 4 at a1: skirmish has pieces 0 to 3"):
        game.arranged({"a1": 4})
    states = game.start().states()
    states["stones"][0, 0] = 4
    with pytest.raises(ValueError, match="there is a piece 4; pieces are 0 to 3"):
        game.restored(states)
    with pytest.raises(ValueError, match=r"stones are b \(Black\), w \(White\), k \(Black's kings\)"):
        game.position("bxbb/4/4/wwiw b")
    with pytest.raises(ValueError, match=r"'k' isn't a player; players are b .Black., w .White.$"):
        game.position("bkbb/4/4/wwiw k")


def other_rules(field: str, **changes: Any) -> SimpleNamespace:
    """The rules with changes; an extra field distinguishes their states from others'."""
    state = np.dtype([*((name, RULES.STATE[name]) for name in RULES.STATE.names), (field, np.int8, 1)])
    return SimpleNamespace(
        **vars(RULES) | {"__name__": f"{RULES.__name__}.{field}", "STATE": state} | changes
    )


def test_kinds_of_pieces_need_a_field_of_the_board() -> None:
    rules = other_rules("no_kinds", BOARD=board_record(("origins", np.int16, 200)))
    with pytest.raises(ValueError, match="skirmish has 2 kinds of pieces, and its board no field for them"):
        skirmish(rules=rules)


def test_a_position_in_which_nothing_can_be_played_is_refused() -> None:
    """In Skirmish a pass is always legal, but not in these changed rules."""
    rules = other_rules("no_pass", legal=lambda board, state, scratch: 0)
    with pytest.raises(
        ValueError, match=r"no position of .*: the game isn't over, and nothing can be played"
    ):
        skirmish(rules=rules).arranged({"a1": 2, "d4": 3})


def test_learners_see_a_plane_for_every_kind_of_every_player() -> None:
    game = skirmish()
    assert observation_spec(game).planes[:5] == (
        "own men", "men of the next player", "own kings", "kings of the next player",
        "the player to act, from 0 for the first to 1 for the last",
    )  # fmt: skip
    planes = observe(game.start(), 1)[0]
    assert [int(plane.sum()) for plane in planes] == [3, 3, 1, 1, 0]
    assert planes[2, 3, 2] == 1 and planes[3, 0, 1] == 1


@pytest.mark.parametrize(
    ("name", "geometry", "symmetries"), [("square", letter_board(4), 8), ("rhombus", rhombus(), 4)]
)
def test_images_of_moves_keep_what_they_touch(name: str, geometry: Geometry, symmetries: int) -> None:
    game = skirmish(name=name, geometry=lambda options: geometry)
    assert len(game.symmetries) == symmetries
    numbers = tuple(range(len(game.actions)))
    assert images(game)[0].actions.tolist() == list(game.symmetries[0].actions) == list(numbers)
    for symmetry in game.symmetries:
        assert sorted(symmetry.actions) == list(numbers)
        for number, image in enumerate(symmetry.actions):
            action, other = game.actions[number], game.actions[image]
            for one, two in ((action.point, other.point), (action.origin, other.origin)):
                assert (one and game.geometry.names[symmetry.points[game.geometry.index[one]]]) == two


def test_actions_that_only_texts_tell_apart_have_no_images() -> None:
    """An error is better than wrong images: actions with the same point and kind would be confused."""

    def without_origins(geometry: Any, options: Any) -> Any:
        return [replace(action, origin=None) for action in list_actions(geometry, options)]

    game = skirmish(actions=without_origins)
    with pytest.raises(ValueError, match=r"only their texts tell 'a1-b1' and .* apart"):
        game.symmetries  # noqa: B018
    same = skirmish(actions=without_origins, is_symmetric=False)
    assert same.symmetries[0].actions == tuple(range(len(game.actions)))


def test_rules_without_an_action_for_every_side_are_not_symmetric() -> None:
    def upwards(geometry: Any, options: Any) -> Any:
        steps = [a for a in list_actions(geometry, options) if a.origin is None or a.origin[1] < a.point[1]]
        return steps

    with pytest.raises(ValueError, match=r"makes no action of 'a1-a2'.*is_symmetric=False"):
        skirmish(actions=upwards).symmetries  # noqa: B018


def test_kinds_of_pieces_are_solved() -> None:
    """A king that can be captured immediately."""
    game = skirmish(name="rhombus", geometry=lambda options: rhombus())
    position = game.arranged({"a1": 2, "b1": 3, "b2": 1, "c3": 0}, 0)
    solver = Solver(position, memory_mb=1)
    assert solver.settle(10) and solver.bounds.lower is not None and solver.bounds.lower >= 10
    assert solver.space.keys.symmetries == 1  # the identity fields may hold anything


def test_a_game_of_chance_is_not_solved() -> None:
    game = skirmish(rules=DICE)
    (reason,) = unmet_requirements(game)
    assert reason == (
        "play of skirmish draws random numbers: games of chance can't be expressed (docs/what-fits.md)"
    )
    with pytest.raises(ValueError, match="play of skirmish draws random numbers"):
        Solver(game.start())
    assert unmet_requirements(skirmish()) == ()


@pytest.mark.parametrize(("players", "told"), [(1, "1 player;"), (7, "7 players;"), (0, "0 players;")])
def test_games_for_one_or_for_too_many_are_refused(players: int, told: str) -> None:
    with pytest.raises(ValueError, match=f"skirmish has {told} games for 2 to 6 can be expressed"):
        skirmish(player_names=("Black",) * players)


def test_actions_with_one_text_are_told() -> None:
    def twice(geometry: Any, options: Any) -> Any:
        actions = list_actions(geometry, options)
        return [*actions[:-1], replace(actions[0], kind="pass")]

    assert unmet_requirements(skirmish(actions=twice)) == ("2 actions of skirmish have the text 'a1-b1'",)
