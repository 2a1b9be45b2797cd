"""PettingZoo's own tests for environments that Shimmy makes from OpenSpiel's games."""

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test
from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

import kakomi
import kakomi.research
from research.games import all_games


def env_of(name: str, options: dict[str, int]) -> OpenSpielCompatibilityV0:
    return OpenSpielCompatibilityV0(game_name=f"kakomi_{name}", config=options)


@all_games
def test_its_interface(name: str, options: dict[str, int]) -> None:
    with warnings.catch_warnings():
        for expected in (
            "Agent's m..imum observation space value is",
            "Observation numpy array is all zeros",
        ):
            warnings.filterwarnings("ignore", expected)  # Shimmy knows no bounds; an empty board
        api_test(env_of(name, options), num_cycles=100)


@all_games
def test_a_game_goes_by_our_rules(name: str, options: dict[str, int]) -> None:
    env = env_of(name, options)
    env.reset()
    position = kakomi.game(name, **options).start()
    chance = np.random.default_rng(1)
    while not position.is_over:
        _, _, _, _, info = env.last()
        assert np.flatnonzero(info["action_mask"]).tolist() == position.legal_actions()
        assert env.agent_selection == f"player_{position.to_move}"
        action = int(chance.choice(position.legal_actions()))
        env.step(action)
        position = position.play_action(action)
    assert list(env.rewards.values()) == position.returns() and all(env.terminations.values())


def test_an_illegal_action_raises() -> None:
    env = env_of("rin", {"size": 4})
    env.reset()
    env.step(3)
    with pytest.raises(kakomi.IllegalAction):
        env.step(3)
