"""A network's inputs for options, and for boards of several sizes."""

import numpy as np
import pytest

import kakomi
from kakomi.networks.layout import NetworkLayout, board_layout, network_layout, rectangle
from kakomi.networks.observation import inputs_of


def test_a_komi_is_seen_by_who_has_it() -> None:
    game = kakomi.game("lin", size=5, komi=6)
    first, second = game.start(), game.start().play("a1")
    names = network_layout(game).scalars
    scalars = inputs_of([first, second]).scalars[:, [names.index("seat"), names.index("komi for the viewer")]]
    assert scalars == pytest.approx(np.array([[-1, -6 / 25], [1, 6 / 25]]))


def test_boards_of_all_sizes_and_numbers_of_players_go_into_one_batch() -> None:
    games = [kakomi.game("rings", size=size, players=players) for size, players in ((2, 6), (3, 2))]
    inputs = inputs_of([game.start() for game in games])
    assert inputs.planes.shape == (2, len(network_layout(games[0]).channels), *rectangle(games[1]))
    with pytest.raises(ValueError, match="of one game"):
        inputs_of([games[0].start(), kakomi.game("rin").start()])
    with pytest.raises(ValueError, match="can't hold the board"):
        board_layout(games[1], rectangle(games[0]))


def test_what_is_no_layout_is_refused() -> None:
    for text in ("", "[]", "{}", '{"game": "rin"}'):
        with pytest.raises(ValueError, match="no layout"):
            NetworkLayout.from_json(text)
