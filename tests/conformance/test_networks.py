"""A network's inputs and the places of actions in its answer are consistent under symmetries and seats."""

import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from conformance.cases import Case, economical, learning_cases, quick_cases, random_game, some
from kakomi.core import Position
from kakomi.core.position import rotate_players
from kakomi.networks.layout import ON_BOARD, NetworkLayout, board_layout, network_layout, rectangle
from kakomi.networks.observation import inputs_of

POSITIONS = 8


@pytest.fixture(autouse=True)
def kernel(case: Case) -> Iterator[None]:
    with economical(case):
        yield


def some_positions(case: Case) -> Sequence[Position]:
    """Some positions of a random game, from its start to its end."""
    return some(random_game(case)[:-1], POSITIONS)


@learning_cases
def test_all_sizes_of_a_game_have_one_layout_which_files_can_keep(case: Case) -> None:
    game = case.game
    layout = network_layout(game)
    assert layout == network_layout(type(game)(game.description))
    assert NetworkLayout.from_json(layout.to_json()) == layout


@learning_cases
def test_nothing_is_seen_beside_the_board(case: Case) -> None:
    game = case.game
    height, width = rectangle(game)
    positions = some_positions(case)
    inputs = inputs_of(positions, shape=(height + 1, width + 2))
    beside = inputs.planes[:, ON_BOARD] == 0
    assert (inputs.planes[:, ON_BOARD] == 1).sum() == len(positions) * game.geometry.points
    assert not np.moveaxis(inputs.planes, 1, -1)[beside].any()


@learning_cases
def test_padding_moves_nothing(case: Case) -> None:
    game = case.game
    positions = some_positions(case)
    height, width = rectangle(game)
    tight, wide = inputs_of(positions), inputs_of(positions, shape=(height + 3, width + 1))
    assert np.array_equal(wide.planes[:, :, :height, :width], tight.planes)
    assert np.array_equal(wide.scalars, tight.scalars)


@learning_cases
def test_an_image_of_a_position_is_seen_as_the_image_of_what_is_seen(case: Case) -> None:
    game = case.game
    position = some_positions(case)[-1]
    seen = inputs_of([position]).planes[0]
    spots = board_layout(game).input_layout.spots
    flat = seen.reshape(len(seen), -1)
    for symmetry in game.symmetries:
        turned = inputs_of([position], symmetries=[symmetry]).planes[0].reshape(len(seen), -1)
        assert np.array_equal(turned[:, spots[list(symmetry.points)]], flat[:, spots])


@quick_cases
def test_an_image_is_what_the_game_itself_makes_of_it(case: Case) -> None:
    """Playing the images of actions leads to a position whose inputs are the image of the original's."""
    game = case.game
    choose = random.Random(3)
    for symmetry in game.symmetries:
        position = mirrored = game.start()
        for _ in range(12):
            if position.is_over:
                break
            assert np.array_equal(
                inputs_of([position], symmetries=[symmetry]).planes, inputs_of([mirrored]).planes
            )
            action = choose.choice(position.legal_actions())
            position = position.play_action(action)
            mirrored = mirrored.play_action(symmetry.actions[action])


@quick_cases
def test_an_answer_gives_the_images_of_actions_the_logits_of_its_image(case: Case) -> None:
    game = case.game
    layout, board = network_layout(game), board_layout(game)
    answer = np.random.default_rng(1).normal(size=layout.answer_length(board.spots)).astype(np.float32)
    logits = (answer[board.entries] * board.weights).sum(axis=1)
    planes = answer[: len(layout.policies) * board.spots].reshape(len(layout.policies), -1)
    assert len(set(logits.tolist())) == len(game.actions)  # distinct for all actions
    for symmetry in game.symmetries:
        turned = answer.copy()
        flat = turned[: planes.size].reshape(planes.shape)
        flat[:, board.input_layout.spots[list(symmetry.points)]] = planes[:, board.input_layout.spots]
        found = (turned[board.entries] * board.weights).sum(axis=1)
        assert found[list(symmetry.actions)] == pytest.approx(logits, abs=1e-5)
        own = board_layout(game, symmetry=symmetry)
        assert np.array_equal((turned[own.entries] * own.weights).sum(axis=1), found[list(symmetry.actions)])


@learning_cases
def test_whoever_sits_where_sees_the_same(case: Case) -> None:
    game = case.game
    if not game.description.players_are_alike(game.options):
        pytest.skip("its players are not alike")
    positions = some_positions(case)
    seen = inputs_of(positions)
    for by in range(1, game.players):
        rotated = inputs_of([rotate_players(position, by) for position in positions])
        assert np.array_equal(rotated.planes, seen.planes)
        assert np.array_equal(rotated.scalars, seen.scalars)
