"""Vector environments play as positions do, and their observations distinguish positions."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from conformance.cases import (
    Case,
    actions_of,
    compiled_cases,
    economical,
    learning_cases,
    quick_cases,
    random_game,
)
from kakomi import Position
from kakomi.core.position import rotate_players
from kakomi.kernel import Mode, use_mode
from kakomi.research import Buffers, VectorEnv, images
from sampling import is_compiled


@pytest.fixture(autouse=True)
def kernel(case: Case) -> Iterator[None]:
    """Compile for one game only: certification also checks that all modes agree."""
    with economical(case):
        yield


def expected(position: Position) -> tuple[object, ...]:
    """The expected contents of a row of the buffers."""
    mask = np.zeros(len(position.game.actions), np.bool_)
    mask[position.legal_actions()] = True
    returns = position.returns() if position.is_over else [0.0] * position.game.players
    return mask.tolist(), position.to_move, position.is_over, np.array(returns, np.float32).tolist()


def row(shown: Buffers, i: int) -> tuple[object, ...]:
    return shown.masks[i].tolist(), shown.to_move[i], shown.done[i], shown.rewards[i].tolist()


@learning_cases
def test_it_plays_as_positions_do(case: Case) -> None:
    positions = random_game(case)
    with VectorEnv(case.game, 2, autoreset="disabled") as env:
        assert row(env.shown, 0) == expected(positions[0])
        for action, after in zip(actions_of(positions), positions[1:], strict=True):
            shown = env.step([action, action])
            assert row(shown, 0) == row(shown, 1) == expected(after)
            assert np.array_equal(shown.observations[0], shown.observations[1])
        assert env.position(1) == positions[-1]


@learning_cases
def test_the_first_planes_are_stones_of_who_acts_and_then_of_the_others(case: Case) -> None:
    game = case.game
    env = VectorEnv(game, 1)
    for position in random_game(case)[::7]:
        env.place(0, position)
        planes = np.zeros((game.players, *env.view.shape[1:]), np.float32)
        for name, player in position.stones().items():
            spot = game.geometry.grid[game.geometry.index[name]]
            planes[(player - position.to_move) % game.players][spot] = 1
        assert np.array_equal(env.shown.observations[0, : game.players], planes)


@learning_cases
def test_every_plane_has_a_name_and_every_point_a_spot(case: Case) -> None:
    view = VectorEnv(case.game, 1).view
    assert len(set(view.planes)) == len(view.planes) == view.shape[0]
    assert len(set(view.spots.tolist())) == case.game.geometry.points
    assert view.spots.max() < view.height * view.width


@quick_cases
def test_observation_and_mask_tell_positions_apart(case: Case) -> None:
    """The Markov property: positions with equal observations and masks are equal."""
    env = VectorEnv(case.game, 1)
    seen: dict[bytes, Position] = {}
    for seed in range(20 if is_compiled(case.name) else 4):
        for position in random_game(case, seed):
            if not position.is_over:
                env.place(0, position)
                looks = env.shown.observations.tobytes() + env.shown.masks.tobytes()
                assert seen.setdefault(looks, position) == position
    assert len(seen) > 40


@learning_cases
def test_planes_are_written_whole(case: Case) -> None:
    """Nothing remains from earlier contents of the planes."""
    used, fresh = VectorEnv(case.game, 1), VectorEnv(case.game, 1)
    chance = random.Random(5)
    positions = random_game(case)
    for position in chance.choices(positions, k=10):
        used.place(0, position)
        fresh.shown.observations.fill(0)
        fresh.place(0, position)
        assert np.array_equal(used.shown.observations, fresh.shown.observations)


def story(case: Case) -> list[tuple[object, ...]]:
    """The results of three games over some steps, including autoresets."""
    env = VectorEnv(case.game, 3, seed=4, autoreset="same_step")
    told = []
    for _ in range(60):
        shown = env.step(env.sample())
        told.append((*(row(shown, i) for i in range(3)), shown.observations.tobytes()))
    return told


@compiled_cases
def test_steps_are_the_same_in_every_mode(case: Case) -> None:
    told = []
    for mode in (Mode.COMPILED, Mode.CHECKED, Mode.INTERPRETED):
        with use_mode(mode):
            told.append(story(case))
    assert told[0] == told[1] == told[2]


@learning_cases
def test_play_commutes_with_symmetries_and_with_rotated_players(case: Case) -> None:
    """A game and all of its images, played in parallel: each shows the image of the first."""
    game = case.game
    rotations = range(game.players if game.description.players_are_alike(game.options) else 1)
    found = [(image, by) for by in rotations for image in images(game)]
    with VectorEnv(game, len(found), autoreset="disabled") as env:
        for i, (_, by) in enumerate(found):
            env.place(i, rotate_players(game.start(), by) if by else game.start())
        for action in actions_of(random_game(case)):
            shown = env.step([int(image.actions[action]) for image, _ in found])
            relative = np.delete(shown.observations, game.players, axis=1)  # without the player to act
            for i, (image, by) in enumerate(found):
                assert np.array_equal(relative[i], image.observations(relative[0]))
                assert np.array_equal(shown.masks[i], image.policies(shown.masks[0]))
                assert shown.to_move[i] == (shown.to_move[0] + by) % game.players
                assert np.array_equal(shown.rewards[i], np.roll(shown.rewards[0], by))
            assert (shown.done == shown.done[0]).all()


@learning_cases
def test_rotated_players_meet_again(case: Case) -> None:
    """Rotating players before or after an action gives the same position."""
    game = case.game
    if not game.description.players_are_alike(game.options):
        with pytest.raises(ValueError, match="alike"):
            rotate_players(game.start())
        return
    positions = random_game(case)
    for before, action, after in zip(positions, actions_of(positions), positions[1:], strict=False):
        rotated = rotate_players(before)
        assert rotated.play_action(action) == rotate_players(after) != after
        assert rotated.scores() == before.scores()[-1:] + before.scores()[:-1]
        assert rotate_players(rotated, game.players - 1) == before


@learning_cases
def test_symmetries_are_all_of_the_boards(case: Case) -> None:
    game = case.game
    assert game.symmetries[0].actions == tuple(range(len(game.actions)))
    for symmetry in game.symmetries:
        assert sorted(symmetry.actions) == list(range(len(game.actions)))
        assert sorted(symmetry.cells) == list(range(len(game.geometry.cells)))
    of_board = len(game.geometry.symmetries) if game.description.is_symmetric else 1
    assert len({symmetry.points for symmetry in game.symmetries}) == len(game.symmetries) == of_board
