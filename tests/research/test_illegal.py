"""Illegal actions that lose the game, in all environments."""

from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

import kakomi
from kakomi.research import VectorEnv, observe, pettingzoo_env

SMALL = kakomi.game("rin", size=4)
FOR_THREE = kakomi.game("rings", size=2, players=3)


@pytest.mark.parametrize("action", [5, -1, 10**6])
@pytest.mark.parametrize("threads", [1, 2])
def test_its_player_loses_and_the_others_go_on(action: int, threads: int) -> None:
    with VectorEnv(SMALL, 3, illegal="loss", threads=threads) as env:
        env.step([5, 5, 5])
        before = env.position(1)
        seen = env.step([1, action, 2])
        assert seen.done.tolist() == [False, True, False]
        assert seen.rewards.tolist() == [[0, 0], [1, -1], [0, 0]]
        assert seen.masks.any(axis=1).tolist() == [True, False, True]
        assert env.position(1) == before
        assert env.sample()[1] == 0
        seen = env.step([3, action, 4])
        assert not seen.done.any() and not seen.rewards.any()
        assert env.position(1) == SMALL.start()


def test_others_share_the_win() -> None:
    env = VectorEnv(FOR_THREE, 1, illegal="loss")
    env.step([3])
    assert env.step([3]).rewards.tolist() == [[0.25, -0.5, 0.25]]


def test_the_next_game_begins_at_once_in_the_same_step() -> None:
    env = VectorEnv(SMALL, 2, illegal="loss", autoreset="same_step")
    env.step([5, 5])
    seen = env.step([5, 6])
    assert seen.done.tolist() == [True, False] and seen.rewards[0].tolist() == [1, -1]
    assert seen.masks[0].all() and env.position(0) == SMALL.start()
    assert env.final_observations[0, 1].sum() == 1  # the stone that was there
    assert not env.step([5, 7]).done.any()


def test_without_autoreset_it_stays_over() -> None:
    env = VectorEnv(SMALL, 2, illegal="loss", autoreset="disabled")
    env.step([5, 5])
    env.step([5, 6])
    seen = env.step([7, 7])
    assert seen.done.tolist() == [True, False] and not seen.rewards.any() and not seen.masks[0].any()
    env.reset(games=seen.done.copy())
    assert env.buffers.masks[0].all() and not env.buffers.done.any()


def test_placing_a_position_goes_on() -> None:
    env = VectorEnv(SMALL, 1, illegal="loss", autoreset="disabled")
    env.step([5])
    env.step([5])
    env.place(0, SMALL.start())
    assert env.buffers.masks.all() and not env.step([5]).done.any()


@pytest.mark.parametrize("opponent", [None, "random"])
def test_one_agent_loses(opponent: str | None) -> None:
    env: Any = gymnasium.make("kakomi/Rin-v0", size=4, illegal="loss", opponent=opponent).unwrapped
    env.reset(seed=1)
    env.step(int(env.action_space.sample()))
    taken = int(np.flatnonzero(env.action_masks() == 0)[0])
    _, reward, terminated, truncated, info = env.step(taken)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert not info["action_mask"].any()
    with pytest.raises(kakomi.IllegalAction, match="over"):
        env.step(taken)
    env.reset()
    assert env.action_masks().any()


def test_many_games_lose_by_themselves() -> None:
    env = gymnasium.make_vec("kakomi/Rin-v0", num_envs=2, size=4, illegal="loss")
    env.reset()
    env.step(np.array([5, 5]))
    _, rewards, terminated, _, _ = env.step(np.array([5, 6]))
    assert rewards.tolist() == [-1, 0] and terminated.tolist() == [True, False]


def test_an_agent_in_turns_loses() -> None:
    env = pettingzoo_env("rings", size=2, players=3, illegal="loss")
    env.reset()
    env.step(3)
    env.step(3)
    assert env.rewards == {"player_0": 0.25, "player_1": -0.5, "player_2": 0.25}
    assert all(env.terminations.values())
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)
    for _ in range(3):
        env.step(None)
    assert env.agents == []
    env.reset()
    assert env.observe("player_0")["action_mask"].any()


def test_a_mode_that_there_is_not_is_named() -> None:
    with pytest.raises(ValueError, match="illegal is 'ignore'; it may be one of: 'raise', 'loss'"):
        VectorEnv(SMALL, 1, illegal="ignore")


@pytest.mark.parametrize("action", [1.5, 1.0, np.float32(1.5), float("nan"), np.array([1]), "1"])
def test_an_action_is_an_integer_and_none_is_rounded(action: object) -> None:
    """In all environments and both modes, a non-integer is an error and doesn't lose the game."""
    with pytest.raises(TypeError):
        SMALL.start().play_action(action)  # type: ignore[arg-type]
    state = pyspiel.load_game("kakomi_rin(size=4)").new_initial_state()
    for take in (state.apply_action, state.apply_action_with_legality_check, state.child):
        with pytest.raises(TypeError):
            take(action)
    for illegal in ("raise", "loss"):
        for opponent in (None, "random"):
            one: Any = gymnasium.make("kakomi/Rin-v0", size=4, illegal=illegal, opponent=opponent).unwrapped
            one.reset(seed=1)
            with pytest.raises(ValueError, match=r"action is .*; it must be an integer"):
                one.step(action)
            assert one.position == SMALL.start()
        agents = pettingzoo_env("rin", size=4, illegal=illegal)
        agents.reset()
        with pytest.raises(ValueError, match=r"action is .*; it must be an integer"):
            agents.step(action)  # type: ignore[arg-type]
        assert agents.position == SMALL.start() and not any(agents.terminations.values())
        for bots in ({}, {"opponent": "random"}):
            many = gymnasium.make_vec("kakomi/Rin-v0", num_envs=2, size=4, illegal=illegal, **bots)
            many.reset(seed=1)
            with pytest.raises(ValueError, match="must be integers"):
                many.step([action, action])
            many.close()


@pytest.mark.parametrize("action", [1, np.int8(1), np.array(1)])
def test_integers_of_every_kind_are_taken(action: object) -> None:
    played = SMALL.start().play_action(1)
    assert SMALL.start().play_action(action) == played  # type: ignore[arg-type]
    one: Any = gymnasium.make("kakomi/Rin-v0", size=4).unwrapped
    one.reset()
    one.step(action)
    assert one.position == played and type(one.position.played()[0]) is int


def test_neither_seats_nor_players_nor_seeds_are_rounded() -> None:
    with pytest.raises(ValueError, match=r"seat is 0\.5; it must be an integer"):
        gymnasium.make("kakomi/Rin-v0", size=4, opponent="random", seat=0.5)
    with pytest.raises(ValueError, match=r"player is 0\.5; it must be an integer"):
        observe(SMALL.start(), 0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"seed is 1\.5; it must be an integer"):
        VectorEnv(SMALL, 2, seed=1.5)  # type: ignore[arg-type]
