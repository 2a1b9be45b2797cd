"""Environments continue from saved states: copies, pickles, and states as arrays."""

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import kakomi
from kakomi.research import Buffers, VectorEnv, observation_spec

SMALL = kakomi.game("rin", size=4)
COPIES: dict[str, Callable[[VectorEnv], VectorEnv]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
copied = pytest.mark.parametrize("way", COPIES)


def shown(env: VectorEnv) -> dict[str, list]:
    """The contents of the buffers."""
    return {name: array.tolist() for name, array in vars(env.buffers).items()}


def played(env: VectorEnv, steps: int) -> list[dict[str, list]]:
    """The contents of the buffers after each of some random steps."""
    seen = []
    for _ in range(steps):
        env.step(env.sample())
        seen.append(shown(env))
    return seen


@copied
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("autoreset", ["disabled", "next_step", "same_step"])
def test_a_copy_goes_on_by_itself(way: str, threads: int, autoreset: str) -> None:
    with VectorEnv(SMALL, 5, seed=3, threads=threads, autoreset=autoreset) as env:
        played(env, 9)
        before = shown(env)
        twin = COPIES[way](env)
        assert shown(twin) == before
        ahead = played(twin, 40)
        assert ahead[0] != before == shown(env)
        assert played(env, 40) == ahead
        assert np.array_equal(twin.final_observations, env.final_observations)
        assert [twin.position(i) for i in range(5)] == [env.position(i) for i in range(5)]
        twin.close()


@copied
def test_a_copy_has_aligned_arrays_of_its_own(way: str) -> None:
    own = Buffers.empty(SMALL, observation_spec(SMALL), 2)
    env = VectorEnv(SMALL, 2, buffers=own, autoreset="same_step")
    twin = COPIES[way](env)
    assert env.buffers is own
    arrays = [*vars(twin.buffers).values(), twin.final_observations]
    for array, other in zip(arrays, [*vars(own).values(), env.final_observations], strict=True):
        assert not np.shares_memory(array, other)
        assert array.ctypes.data % 64 == 0


def test_what_somebody_added_is_copied() -> None:
    class Counting(VectorEnv):
        steps = 0

    env = Counting(SMALL, 2)
    env.steps = 7
    twin = copy.deepcopy(env)
    assert twin.steps == 7
    assert isinstance(twin, Counting)


@pytest.mark.parametrize(
    ("name", "options"),
    [("lin", {"size": 5}), ("ren", {"size": 4}), ("rings", {"size": 2, "players": 3}), ("rive", {"size": 2})],
    ids=str,
)
def test_states_go_on_as_the_games_that_they_were_taken_of(name: str, options: dict[str, int]) -> None:
    game = kakomi.game(name, **options)
    env, other = VectorEnv(game, 4, seed=1), VectorEnv(game, 4, seed=2)
    played(env, 7)
    states = env.get_states()
    assert states.dtype == np.uint8
    assert states.shape == (4, env.state_size)
    played(other, 11)
    other.set_states(states)
    assert not other.buffers.rewards.any()
    for actions in [env.sample().copy() for _ in range(1)] + [None] * 20:
        actions = env.sample() if actions is None else actions
        assert played_with(other, actions) == played_with(env, actions)


def played_with(env: VectorEnv, actions: np.ndarray) -> dict[str, list]:
    env.step(actions)
    return shown(env)


def test_some_games_are_saved_and_loaded() -> None:
    env = VectorEnv(SMALL, 6, seed=1)
    played(env, 3)
    kept = [env.position(i) for i in range(6)]
    states = env.get_states([4, 1])
    played(env, 3)
    later = [env.position(i) for i in range(6)]
    env.set_states(states, games=np.array([0, 5]))
    assert [env.position(i) for i in range(6)] == [kept[4], *later[1:5], kept[1]]
    mask = np.array([False, True, False, False, True, False])
    assert np.array_equal(env.get_states(mask), env.get_states([1, 4]))
    env.set_states(np.concatenate([states, states[:0]]), games=mask)
    assert [env.position(1), env.position(4)] == [kept[4], kept[1]]


def test_loaded_games_are_shown_and_the_others_left() -> None:
    env = VectorEnv(SMALL, 3, seed=1, autoreset="disabled")
    start = env.get_states([0])
    while not env.step(env.sample()).done.all():
        pass
    ended, final = env.get_states(), shown(env)
    env.set_states(start, games=[1])
    assert env.buffers.done.tolist() == [True, False, True]
    assert env.buffers.masks.any(axis=1).tolist() == [False, True, False]
    assert not env.buffers.observations[1, :2].any()
    env.set_states(ended)
    assert env.buffers.done.all() and not env.buffers.rewards.any()
    assert shown(env) | {"rewards": None} == final | {"rewards": None}


def test_a_forfeited_game_stays_so() -> None:
    env = VectorEnv(SMALL, 2, illegal="loss", autoreset="disabled")
    env.step([3, 3])
    env.step([3, 4])
    states = env.get_states()
    twin = VectorEnv(SMALL, 2, autoreset="disabled")
    twin.set_states(states)
    assert twin.buffers.done.tolist() == [True, False]
    assert twin.buffers.masks.any(axis=1).tolist() == [False, True]


OTHER = VectorEnv(kakomi.game("rin", size=6), 3)


@pytest.mark.parametrize(
    ("states", "games", "message"),
    [
        (lambda states: states[:2], None, r"states are uint8 \(2, \d+\); they must be uint8 \(3, \d+\)"),
        (lambda states: states[:, 1:], None, r"states are uint8 \(3, \d+\); they must be uint8 \(3, \d+\)"),
        (lambda states: states.astype(np.int64), None, r"states are int64"),
        (lambda states: "states", None, r"states are str"),
        (
            lambda states: np.stack([states[0], OTHER.get_states()[0], states[1]]),
            None,
            "row 1 .* another game",
        ),
        (lambda states: states[:2], [1, 1], "games names one twice"),
        (lambda states: states[:2], [1, 3], "games are 1 to 3; there are 0 to 2"),
        (lambda states: states[:2], [-1, 0], "games are -1 to 0; there are 0 to 2"),
        (lambda states: states[:2], [0.0, 1.0], r"games are float64 \(2,\)"),
        (lambda states: states[:2], np.array([True, True]), r"games are bool \(2,\)"),
    ],
)
def test_states_that_cannot_be_are_refused(states: Callable, games: object, message: str) -> None:
    env = VectorEnv(SMALL, 3, seed=1)
    played(env, 2)
    before = shown(env)
    given = states(env.get_states())
    with pytest.raises(ValueError, match=message):
        env.set_states(given, games)
    assert shown(env) == before
    assert played(env, 1) == played(VectorEnv(SMALL, 3, seed=1), 3)[-1:]


def test_no_games_are_no_states() -> None:
    env = VectorEnv(SMALL, 3)
    assert env.get_states([]).shape == (0, env.state_size)
    env.set_states(env.get_states([]), [])
