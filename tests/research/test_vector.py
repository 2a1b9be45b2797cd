"""Vector environments: autoreset, refusals, seeds, threads, and the caller's own buffers."""

import pickle
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

import kakomi
from kakomi.networks.observation import inputs_of
from kakomi.research import (
    Autoreset,
    Buffers,
    ObservationSpec,
    VectorEnv,
    View,
    look,
    observation_spec,
    view_of,
)

SMALL = kakomi.game("rin", size=4)


def until_done(env: VectorEnv) -> int:
    """Play at random until a game ends, and return its number."""
    while not env.step(env.sample()).done.any():
        pass
    return int(env.buffers.done.argmax())


def test_the_next_step_begins_a_new_game() -> None:
    env = VectorEnv(SMALL, 5, seed=1)
    i = until_done(env)
    assert env.position(i).is_over and not env.buffers.masks[i].any()
    assert env.buffers.rewards[i].tolist() == env.position(i).returns()
    actions = env.sample()
    actions[i] = 99_999  # ignored
    shown = env.step(actions)
    assert env.position(i) == SMALL.start()
    assert not shown.done[i] and shown.masks[i].all() and not shown.rewards[i].any()


def test_the_same_step_begins_a_new_game() -> None:
    env, slow = (VectorEnv(SMALL, 5, seed=2, autoreset=mode) for mode in ("same_step", "disabled"))
    i = until_done(env)
    assert until_done(slow) == i
    assert env.position(i) == SMALL.start() and env.buffers.masks[i].all() and env.buffers.to_move[i] == 0
    assert env.buffers.rewards[i].tolist() == slow.buffers.rewards[i].tolist() != [0, 0]
    assert np.array_equal(env.final_observations[i], slow.buffers.observations[i])
    assert np.array_equal(env.buffers.observations[i], VectorEnv(SMALL, 1).buffers.observations[0])
    assert not env.step(env.sample()).done[i]


def test_without_autoreset_games_wait_until_they_are_begun_anew() -> None:
    env = VectorEnv(SMALL, 5, seed=1, autoreset=Autoreset.DISABLED)
    i = until_done(env)
    final = env.position(i)
    others = [env.position(k) for k in range(5)]
    env.step(env.sample())
    assert env.position(i) == final and env.buffers.done[i] and not env.buffers.rewards[i].any()
    ended = env.buffers.done.copy()
    env.reset(games=ended)
    assert [env.position(k) == SMALL.start() for k in range(5)] == ended.tolist()
    assert not env.buffers.done.any() and others[i] == final


@pytest.mark.parametrize("wrong", [-1, 16, 2**40, "taken"])
def test_an_illegal_action_is_named_and_changes_nothing(wrong: int | str) -> None:
    env = VectorEnv(SMALL, 3, seed=2)
    env.step([5, 5, 5])
    before = [env.position(k) for k in range(3)]
    shown = {name: getattr(env.buffers, name).copy() for name in vars(env.buffers)}
    action = 5 if wrong == "taken" else wrong
    with pytest.raises(kakomi.IllegalAction, match=r"^game 1: "):
        env.step([1, action, 2])
    assert [env.position(k) for k in range(3)] == before
    assert all(np.array_equal(getattr(env.buffers, name), array) for name, array in shown.items())


@pytest.mark.parametrize(
    "actions", [[1, 2], [1, 2, 3, 4], [1.0, 2.0, 3.0], [[1, 2, 3]], ["a1", "a2", "a3"], [True, False, True]]
)
def test_actions_are_n_integers(actions: list[object]) -> None:
    with pytest.raises(ValueError, match=r"must be integers \(3,\)"):
        VectorEnv(SMALL, 3).step(actions)


def actions_of_a_run(env: VectorEnv, steps: int = 50) -> list[list[int]]:
    played = []
    for _ in range(steps):
        played.append(env.sample().tolist())
        env.step(played[-1])
    return played


def test_a_seed_decides_all() -> None:
    env = VectorEnv(SMALL, 4, seed=7)
    first = actions_of_a_run(env)
    env.reset(seed=7)
    assert actions_of_a_run(env) == first == actions_of_a_run(VectorEnv(SMALL, 4, seed=7))
    assert actions_of_a_run(VectorEnv(SMALL, 4, seed=8)) != first
    assert len({tuple(column) for column in zip(*first, strict=True)}) == 4  # games differ from each other


@pytest.mark.parametrize("threads", [2, 3, 9])
def test_threads_make_no_difference(threads: int) -> None:
    game = kakomi.game("rings", size=2, players=3)
    one = VectorEnv(game, 7, seed=3, autoreset="same_step")
    with VectorEnv(game, 7, seed=3, autoreset="same_step", threads=threads) as several:
        for _ in range(200):
            a, b = one.step(one.sample()), several.step(several.sample())
            assert all(np.array_equal(getattr(a, name), getattr(b, name)) for name in vars(a))
        assert np.array_equal(one.final_observations, several.final_observations)


def test_it_writes_into_buffers_of_ones_own() -> None:
    game, view = SMALL, observation_spec(SMALL)
    own = Buffers.empty(game, view, 2)
    own.observations.fill(9)
    env = VectorEnv(game, 2, buffers=own)
    assert env.buffers is own and env.reset() is own and env.step([0, 1]) is own
    assert own.observations.max() == 1 and own.masks.sum() == 2 * 15


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("observations", np.zeros((2, 4, 4, 4))),
        ("observations", np.zeros((2, 4, 4, 5), np.float32)),
        ("masks", np.zeros((2, 16), np.int8)),
        ("rewards", np.zeros((2, 2, 2), np.float32)[..., 0]),
        ("to_move", [0, 0]),
    ],
)
def test_other_buffers_are_refused(name: str, array: object) -> None:
    own = replace(Buffers.empty(SMALL, observation_spec(SMALL), 2), **{name: array})
    with pytest.raises(ValueError, match=rf"^{name} is .*; it must be a writable C-contiguous"):
        VectorEnv(SMALL, 2, buffers=own)


def test_a_read_only_buffer_is_refused() -> None:
    own = Buffers.empty(SMALL, observation_spec(SMALL), 2)
    own.done.flags.writeable = False
    with pytest.raises(ValueError, match="done is bool"):
        VectorEnv(SMALL, 2, buffers=own)


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"n": 0}, "n is 0"), ({"threads": 0}, "threads is 0"), ({"autoreset": "never"}, "'next_step'")],
)
def test_settings_that_cannot_be_are_named(settings: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        VectorEnv(SMALL, **({"n": 1} | settings))


def test_a_name_is_its_game() -> None:
    assert VectorEnv("lin", 4).game == kakomi.game("lin")
    with pytest.raises(ValueError, match="chess"):
        VectorEnv("chess", 4)


@pytest.mark.parametrize("game", [5, None, SMALL.start(), SMALL.description])
def test_what_is_no_game_is_named(game: object) -> None:
    with pytest.raises(ValueError, match=r"it must be a game, such as kakomi\.game"):
        VectorEnv(game, 4)


def test_it_tells_its_size_and_spaces_by_gymnasiums_names() -> None:
    env = VectorEnv(SMALL, 3)
    assert env.num_envs == 3
    assert env.single_observation_space.shape == env.observation_spec.shape
    assert env.single_action_space.n == 16


def test_earlier_names_keep_working() -> None:
    env = VectorEnv(SMALL, 1)
    assert env.shown is env.buffers and env.view is env.observation_spec is view_of(SMALL)
    assert np.array_equal(look(SMALL.start())[0], env.buffers.observations[0]) and View is ObservationSpec


def test_games_to_begin_anew_are_named_by_a_mask() -> None:
    with pytest.raises(ValueError, match=r"games is int64 \(2,\); it must be bool \(3,\)"):
        VectorEnv(SMALL, 3).reset(games=np.array([0, 1]))


@pytest.mark.parametrize("name", kakomi.names())
def test_it_tells_what_a_network_sees(name: str) -> None:
    game = kakomi.game(name, **kakomi.game(name).description.quick)
    env = VectorEnv(game, 3, seed=1, autoreset="disabled")
    first = env.network_inputs()
    for _ in range(12):
        env.step(env.sample())
    again, wanted = env.network_inputs(), inputs_of([env.position(i) for i in range(3)])
    assert again.planes is first.planes and again.scalars is first.scalars
    assert np.array_equal(again.planes, wanted.planes) and np.array_equal(again.scalars, wanted.scalars)
    while not env.buffers.done.all():
        env.step(env.sample())
    ended = env.network_inputs().planes
    assert np.isfinite(ended).all() and ended.any()
    other = pickle.loads(pickle.dumps(env))
    assert other.network_inputs().planes is not ended
    assert np.array_equal(other.network_inputs().planes, ended)


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="this environment is for"):
        VectorEnv(SMALL, 1).place(0, kakomi.game("rin", size=6).start())


def test_a_step_allocates_nothing() -> None:
    """It allocates no arrays, only small temporary Python objects."""
    env = VectorEnv(kakomi.game("rive", size=3), 4096, seed=1)  # compiled, since interpreted code allocates
    actions = env.sample().copy()
    env.step(actions)
    env.reset()
    tracemalloc.start()
    try:
        env.step(actions)
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        env.step(env.sample())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak - before < 4096


def test_arrays_are_lent_without_a_copy() -> None:
    env = VectorEnv(SMALL, 2)
    lent = np.from_dlpack(env.buffers.observations)
    env.step([3, 4])
    assert lent.sum() == env.buffers.observations.sum() > 0
    assert np.shares_memory(lent, env.buffers.observations)
