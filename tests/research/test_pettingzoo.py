"""PettingZoo's own tests for all five games in several sizes, and copies that continue."""

import copy
import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, save_obs_test, seed_test

import kakomi
from kakomi.catalog import describe
from kakomi.research.pettingzoo import AgentsInTurn, pettingzoo_env
from research.games import all_games
from sampling import sample


@all_games
def test_its_interface(name: str, options: dict[str, int]) -> None:
    with warnings.catch_warnings():
        for expected in ("not a NumPy array", "all zeros", "should be gymnasium.spaces.box"):
            warnings.filterwarnings("ignore", f".*{expected}")  # a dictionary with a mask; an empty board
        api_test(pettingzoo_env(name, **options), num_cycles=300)


@all_games
def test_its_seeds(name: str, options: dict[str, int]) -> None:
    seed_test(lambda: pettingzoo_env(name, **options), num_cycles=100)


OURS = pytest.mark.parametrize("name", sample(["lin", "ren", "rin", "rings", "rive"], 2))


@OURS
def test_its_pictures_as_observations(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    env = pettingzoo_env(name, pixels=True, **describe(name).quick)
    api_test(env, num_cycles=5)
    save_obs_test.test_save_obs(env)
    assert "did not save" not in capsys.readouterr().out
    assert len(list((tmp_path / "saved_observations").rglob("*.png"))) == 2


@OURS
def test_its_rendering(name: str, capsys: pytest.CaptureFixture) -> None:
    render_test(lambda render_mode: pettingzoo_env(name, render_mode=render_mode))
    assert capsys.readouterr().out


def play(env: AgentsInTurn, seed: int, plies: int) -> list[int]:
    """Play random actions, and return them."""
    chance = np.random.default_rng(seed)
    played = []
    while len(played) < plies and not env.position.is_over:
        played.append(int(chance.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
        env.step(played[-1])
    return played


@all_games
@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_a_copy_goes_on_by_itself(name: str, options: dict[str, int], way: str) -> None:
    env = pettingzoo_env(name, **options)
    env.reset()
    play(env, 1, 5)
    twin = copy.deepcopy(env) if way == "deepcopy" else pickle.loads(pickle.dumps(env))
    before = env.position
    play(twin, 2, 1000)
    assert twin.position.is_over and twin.position != before == env.position
    assert env.agent_selection == f"player_{before.to_move}"
    play(env, 2, 1000)
    assert env.position == twin.position and env.rewards == twin.rewards


def test_rewards_are_the_returns() -> None:
    env = pettingzoo_env("rings", size=2, players=3)
    env.reset()
    play(env, 1, 1000)
    assert list(env.rewards.values()) == env.position.returns() and sum(env.rewards.values()) == 0


@pytest.mark.parametrize("action", [-1, 16, 3, None])
def test_an_illegal_action_raises_and_leaves_all_as_it_was(action: int | None) -> None:
    env = pettingzoo_env("rin", size=4)
    env.reset()
    env.step(3)
    before, agent = env.position, env.agent_selection
    with pytest.raises(kakomi.IllegalAction):
        env.step(action)
    assert env.position is before and env.agent_selection == agent


def test_every_agent_sees_its_own_stones_first() -> None:
    env = pettingzoo_env("rings", size=2, players=3)
    env.reset()
    env.step(0)
    own = [env.observe(agent)["observation"][0].any() for agent in env.agents]
    assert env.agent_selection == "player_1" and own == [True, False, False]


def test_who_does_not_act_may_do_nothing() -> None:
    env = pettingzoo_env("rings", size=2, players=3)
    env.reset()
    masks = [env.observe(agent)["action_mask"].any() for agent in env.agents]
    assert masks == [True, False, False]


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [("chess", {}, "chess"), ("rin", {"size": 99}, "size"), ("rin", {"render_mode": "vr"}, "rgb_array")],
)
def test_what_there_is_not_is_named(name: str, settings: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pettingzoo_env(name, **settings)
