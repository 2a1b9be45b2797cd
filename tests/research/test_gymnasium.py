"""Gymnasium's own tests for all five games in several sizes, bots as opponents, and many games at once."""

import copy
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match
from gymnasium.vector import AutoresetMode

import kakomi
import kakomi.research
from research.games import all_games


def made(name: str, **settings: Any) -> Any:
    return gymnasium.make(f"kakomi/{name.capitalize()}-v0", **settings)


@all_games
@pytest.mark.parametrize("opponent", [None, "random"])
def test_the_checker_finds_nothing(name: str, options: dict[str, int], opponent: str | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(different render modes|render_modes).*")
        check_env(made(name, opponent=opponent, render_mode="ansi", **options).unwrapped)


@all_games
def test_two_of_a_kind_match(name: str, options: dict[str, int]) -> None:
    one, other = (made(name, opponent="random", **options) for _ in range(2))
    check_environments_match(one, other, num_steps=60)


def test_rendering() -> None:
    env = made("rin", size=4, render_mode="rgb_array")
    env.reset()
    assert env.render().shape[2] == 3 and env.render().dtype == np.uint8


def outcome(env: Any, seed: int) -> tuple[float, Any]:
    """The last reward of a game of random actions, and its final position."""
    env.reset(seed=seed)
    env.action_space.seed(seed)
    while True:
        _, reward, terminated, _, info = env.step(env.action_space.sample())
        if terminated:
            assert not info["action_mask"].any()
            return reward, env.unwrapped.position


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_reward_is_the_agents_return(seat: int) -> None:
    env = made("rings", size=2, players=3, opponent="random", seat=seat)
    ends = [outcome(env, seed) for seed in range(5)]
    assert all(reward == position.returns()[seat] for reward, position in ends)
    assert ends == [outcome(env, seed) for seed in range(5)]  # the seed determines everything


def test_without_opponents_the_agent_plays_everybody() -> None:
    env = made("rin", size=4)
    _, info = env.reset()
    movers = [info["to_move"]]
    for _ in range(5):
        movers.append(env.step(env.action_space.sample())[4]["to_move"])
    assert movers == [0, 1, 1, 0, 0, 1]


def test_an_illegal_action_raises_and_leaves_all_as_it_was() -> None:
    env = made("rin", size=4).unwrapped
    env.reset()
    env.step(3)
    before = env.position
    with pytest.raises(kakomi.IllegalAction):
        env.step(3)
    assert env.position is before


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"opponent": "deep blue"}, "deep blue"), ({"seat": 2}, "seat is 2"), ({"size": 99}, "size")],
)
def test_what_there_is_not_is_named(settings: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        made("rin", **settings)


def test_a_copy_goes_on_by_itself() -> None:
    env = made("lin", size=5, line=3, opponent="random").unwrapped
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    actions = [int(env.action_space.sample()) for _ in range(3)]
    assert twin.step(actions[0])[1:4] == env.step(actions[0])[1:4]
    twin.step(int(twin.action_space.sample()))
    assert twin.position != env.position


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_many_games_play_as_one_does(mode: AutoresetMode) -> None:
    many = gymnasium.make_vec("kakomi/Rings-v0", num_envs=3, size=2, players=3, autoreset_mode=mode)
    one = made("rings", size=2, players=3)
    (seen, info), (seen_by_one, info_of_one) = many.reset(), one.reset()
    chance = np.random.default_rng(1)
    while True:
        assert np.array_equal(seen[1], seen_by_one)
        assert np.array_equal(info["action_mask"][1], info_of_one["action_mask"])
        action = int(chance.choice(np.flatnonzero(info_of_one["action_mask"])))
        seen, rewards, done, _, info = many.step(np.full(3, action))
        seen_by_one, reward, terminated, _, info_of_one = one.step(action)
        assert rewards.tolist() == [np.float32(reward)] * 3 and done.tolist() == [terminated] * 3
        if terminated:
            break
    final = info["final_obs"] if mode is AutoresetMode.SAME_STEP else seen
    assert np.array_equal(final[2], seen_by_one)
    many.reset(
        options={"reset_mask": np.array([True, False, True])} if mode is AutoresetMode.DISABLED else None
    )
    many.close()


@pytest.mark.parametrize("vectorization", ["sync", "async", "vector_entry_point"])
@pytest.mark.parametrize("opponent", ["random", "1"])
def test_many_games_have_opponents_in_every_way(vectorization: str, opponent: str) -> None:
    many = gymnasium.make_vec(
        "kakomi/Rin-v0", num_envs=2, vectorization_mode=vectorization, size=4, opponent=opponent, seat=1
    )
    try:
        seen, infos = many.reset(seed=1)
        assert seen.shape == (2, 4, 4, 4)
        assert infos["to_move"].tolist() == [1, 1]
        while True:
            actions = many.action_space.sample(mask=tuple(infos["action_mask"]))
            seen, rewards, ended, _, infos = many.step(actions)
            assert seen in many.observation_space
            assert (infos["to_move"] == 1)[~ended].all()
            if ended.any():
                break
        assert set(rewards[ended]) <= {-1, 0, 1}
    finally:
        many.close()


def test_many_games_sample_legal_actions() -> None:
    many = gymnasium.make_vec("kakomi/Rings-v0", num_envs=7, size=2, autoreset_mode=AutoresetMode.DISABLED)
    _, infos = many.reset()
    many.action_space.seed(1)
    ended = np.zeros(7, bool)
    while not ended.all():
        actions = many.action_space.sample()
        legal = infos["action_mask"][np.arange(7), actions] == 1
        assert actions in many.action_space
        assert np.array_equal(legal, ~ended)
        assert not actions[ended].any()
        _, _, ended, _, infos = many.step(actions)
    many.reset()
    assert {tuple(many.action_space.sample(mask=((np.arange(33) == 5).astype(np.int8),) * 7))} == {(5,) * 7}


def test_samples_of_many_games_are_uniform() -> None:
    many = gymnasium.make_vec("kakomi/Rin-v0", num_envs=1000, size=4)
    many.reset()
    many.step(np.zeros(1000, int))
    counts = np.bincount(np.concatenate([many.action_space.sample() for _ in range(15)]), minlength=16)
    assert counts[0] == 0 and counts.sum() == 15_000
    assert abs(counts[1:] - 1000).max() < 6 * np.sqrt(1000)


@all_games
def test_what_is_seen_is_within_its_bounds(name: str, options: dict[str, int]) -> None:
    game = kakomi.game(name, **options)
    env = kakomi.research.VectorEnv(game, 8, seed=1, autoreset="same_step")
    space, spec = env.single_observation_space, env.observation_spec
    highest = np.zeros(len(spec.planes), np.float32)
    for _ in range(300):
        seen = env.step(env.sample()).observations
        assert all(one in space for one in seen)
        highest = np.maximum(highest, seen.max(axis=(0, 2, 3)))
    assert np.isfinite(space.high).all() and (space.low == 0).all()
    points = [plane.endswith("points, in sixteenths") for plane in spec.planes]
    assert spec.high[~np.array(points)].max() <= 1 and (highest <= spec.high).all()


def equal_infos(found: Any, wanted: Any) -> None:
    """Check that infos are equal for all keys of Gymnasium's own environment, where its masks are set."""
    for name in (name for name in wanted if not name.startswith("_")):
        counts = wanted[f"_{name}"]
        assert found.get(f"_{name}", counts).tolist() == counts.tolist(), name
        if isinstance(wanted[name], dict):
            equal_infos(found[name], wanted[name])
        else:
            for number in np.flatnonzero(counts):
                assert np.array_equal(found[name][number], wanted[name][number]), name


@pytest.mark.parametrize("name", ["Rings", "Lin"])
def test_endings_are_told_as_gymnasium_tells_them(name: str) -> None:
    """In the same step: the final observation, the player to act, and an empty mask."""
    options = {"Rings": {"size": 2, "players": 3}, "Lin": {"size": 5, "line": 3}}[name]
    own = gymnasium.make_vec(f"kakomi/{name}-v0", 4, autoreset_mode=AutoresetMode.SAME_STEP, **options)
    plain = gymnasium.make_vec(
        f"kakomi/{name}-v0",
        4,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
        **options,
    )
    own.reset()
    plain.reset()
    own.action_space.seed(3)
    ended = 0
    while ended < 6:
        actions = own.action_space.sample()
        (seen, rewards, done, _, infos), wanted = own.step(actions), plain.step(actions)
        assert np.array_equal(seen, wanted[0]) and np.allclose(rewards, wanted[1])
        equal_infos(infos, wanted[4])
        final = infos["final_info"]
        assert not final["action_mask"].any() and final["_action_mask"].tolist() == done.tolist()
        assert np.array_equal(final["returns"][done], infos["returns"][done])
        ended += done.sum()
    own.close()


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("seat", [0, 1])
def test_games_against_bots_are_played_at_once_as_one_after_the_other(mode: AutoresetMode, seat: int) -> None:
    settings = {"size": 4, "opponent": "random", "seat": seat}
    many = gymnasium.make_vec("kakomi/Rin-v0", 5, threads=3, autoreset_mode=mode, **settings)
    plain = gymnasium.vector.SyncVectorEnv(
        [lambda: made("rin", **settings).unwrapped] * 5, autoreset_mode=mode
    )
    (seen, _), (seen_there, _) = many.reset(seed=4), plain.reset(seed=4)
    many.action_space.seed(4)
    for _ in range(20):
        assert np.array_equal(seen, seen_there)
        actions = many.action_space.sample()
        assert many.action_space.contains(actions)
        found, wanted = many.step(actions), plain.step(actions)
        for one, other in zip(found[:4], wanted[:4], strict=True):
            assert np.array_equal(one, other)
        equal_infos(found[4], wanted[4])
        seen, seen_there, ended = found[0], wanted[0], found[2]
        if mode is AutoresetMode.DISABLED and ended.any():
            seen, _ = many.reset(options={"reset_mask": ended})
            seen_there, _ = plain.reset(options={"reset_mask": ended})
    many.close()


def test_an_illegal_action_against_bots_leaves_all_games_as_they_were() -> None:
    many = gymnasium.make_vec("kakomi/Rin-v0", 3, size=4, opponent="random", threads=2)
    many.reset(seed=1)
    _, _, _, _, infos = many.step(np.array([1, 2, 3]))
    games: Any = many
    before = [env.unwrapped.position for env in games.envs]
    with pytest.raises(kakomi.IllegalAction, match=r"^game 1: "):
        many.step(np.array([np.flatnonzero(infos["action_mask"][0])[0], 2, 3]))
    assert [env.unwrapped.position for env in games.envs] == before
    many.close()


def test_after_a_step_that_a_bot_interrupted_games_can_be_reset() -> None:
    many: Any = gymnasium.make_vec("kakomi/Rin-v0", 3, size=4, opponent="random", threads=2)
    first, _ = many.reset(seed=1)
    many.envs[1].unwrapped._bots[1].choose = lambda _: 1 / 0
    with pytest.raises(ZeroDivisionError):
        many.step([1, 2, 3])
    again, infos = many.reset(seed=1)
    assert np.array_equal(again, first) and infos["action_mask"].all()
    many.close()
