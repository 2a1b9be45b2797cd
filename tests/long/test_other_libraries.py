"""Slow tests with other libraries."""

import pytest
from open_spiel.python.algorithms import minimax
from pettingzoo.test import performance_benchmark

from kakomi.research.pettingzoo import pettingzoo_env
from research.test_openspiel import loaded, sign_of_value


def test_its_speed_can_be_measured(capsys: pytest.CaptureFixture) -> None:
    performance_benchmark(pettingzoo_env("rin", size=4))
    assert "turns per second" in capsys.readouterr().out


def test_its_minimax_solves_a_whole_game() -> None:
    game = loaded("rive", size=2)
    value, _ = minimax.alpha_beta_search(game, maximum_depth=game.max_game_length())
    assert value == sign_of_value(game.new_initial_state().position)
