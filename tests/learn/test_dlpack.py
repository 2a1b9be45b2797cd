"""Other libraries' tensors share the memory of a vector environment's arrays without copies."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import kakomi
from kakomi.research import Buffers, VectorEnv, observation_spec
from learn.needs import needed

torch = needed("torch")
jax = needed("jax")

GAME = kakomi.game("rin", size=4)
N = 5
NAMES = ("observations", "masks", "rewards", "done", "to_move")
every_array = pytest.mark.parametrize("name", NAMES)


def shared_by_jax(array: np.ndarray) -> Any:
    return jax.dlpack.from_dlpack(array, copy=False)


both_libraries = pytest.mark.parametrize("shared", [torch.from_dlpack, shared_by_jax], ids=["torch", "jax"])


@every_array
@both_libraries
def test_a_tensor_shows_every_step(name: str, shared: Callable[[np.ndarray], Any]) -> None:
    env = VectorEnv(GAME, N, seed=1)
    array = getattr(env.buffers, name)
    tensor = shared(array)
    before = array.copy()
    while np.array_equal(array, before):
        env.step(env.sample())
    assert tensor.shape == array.shape
    assert np.array_equal(np.asarray(tensor), array)


@both_libraries
def test_final_observations_are_shared_too(shared: Callable[[np.ndarray], Any]) -> None:
    env = VectorEnv(GAME, N, seed=1, autoreset="same_step")
    endings = shared(env.final_observations)
    while not env.buffers.done.any():
        env.step(env.sample())
    assert np.asarray(endings).any()
    assert np.array_equal(np.asarray(endings), env.final_observations)


def test_masks_are_tensors_of_truth_values() -> None:
    masks = torch.from_dlpack(VectorEnv(GAME, N).buffers.masks)
    assert masks.dtype == torch.bool
    assert torch.zeros(N, 16).masked_fill(~masks, -torch.inf).eq(0).all()


def test_tensors_of_ones_own_are_written_into() -> None:
    kinds = Buffers.kinds(GAME, observation_spec(GAME), N)
    tensors = {name: torch.from_numpy(np.ones(*kind)) for name, kind in kinds.items()}
    own = Buffers(**{name: tensor.numpy() for name, tensor in tensors.items()})
    one, other = VectorEnv(GAME, N, seed=1, buffers=own), VectorEnv(GAME, N, seed=1)
    for _ in range(20):
        one.step(one.sample())
        other.step(other.sample())
    for name in NAMES:
        assert np.array_equal(tensors[name].numpy(), getattr(other.buffers, name)), name


def test_one_rollout_tensor_can_hold_the_observations_of_two_environments() -> None:
    """A contiguous slice of a larger tensor can be a buffer."""
    spec = observation_spec(GAME)
    both = torch.zeros(2, N, *spec.shape)
    envs = []
    for part in both:
        made = vars(Buffers.empty(GAME, spec, N)) | {"observations": part.numpy()}
        envs.append(VectorEnv(GAME, N, buffers=Buffers(**made)))
    for env, action in zip(envs, (3, 7), strict=True):
        env.step([action] * N)
    assert both[0, :, 1].flatten(1).argmax(1).tolist() == [3] * N
    assert both[1, :, 1].flatten(1).argmax(1).tolist() == [7] * N


@pytest.mark.parametrize("kind", [torch.int64, torch.int32, torch.uint8])
def test_a_tensor_of_actions_is_played(kind: Any) -> None:
    env = VectorEnv(GAME, 3)
    env.step(torch.tensor([2, 5, 11], dtype=kind))
    assert [env.position(i) for i in range(3)] == [GAME.start().play_action(a) for a in (2, 5, 11)]


def test_an_array_of_jax_is_played() -> None:
    env = VectorEnv(GAME, 3)
    env.step(jax.numpy.array([2, 5, 11]))
    assert [env.position(i) for i in range(3)] == [GAME.start().play_action(a) for a in (2, 5, 11)]
