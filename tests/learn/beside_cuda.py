"""Compare games on a GPU with the same games on the CPU, step by step.

With NUMBA_ENABLE_CUDASIM=1 the GPU is numba-cuda's simulator, which runs the rules interpreted.
"""

from typing import Any

import numpy as np

import kakomi
from kakomi.core import Game
from kakomi.kernel import random_state
from kakomi.research import Autoreset, VectorEnv
from kakomi.research.cuda import CudaEnv, playouts
from kakomi.search import playout

GAMES = 3
STEPS = 40
SEED = 5


def compare(name: str, options: dict[str, int]) -> None:
    """Compare everything for a game. Raises AssertionError if it differs."""
    game = kakomi.game(name, **options)
    for autoreset in Autoreset:
        step_both(game, autoreset)
    reset_both(game)
    refuse_both(game)
    play_out_both(game)


def both(game: Game, **settings: object) -> tuple[VectorEnv, CudaEnv]:
    return VectorEnv(game, GAMES, seed=SEED, **settings), CudaEnv(game, GAMES, seed=SEED, **settings)


def step_both(game: Game, autoreset: Autoreset) -> None:
    """Compare all results of every step of random games, past their first ends."""
    here, there = both(game, autoreset=autoreset)
    ended = 0
    for _ in range(STEPS):
        actions = here.sample()
        is_same(there.sample(), actions)
        shown = here.step(actions)
        for name, array in vars(there.step(actions)).items():
            is_same(array, getattr(shown, name))
        is_same(there.final_observations, here.final_observations)
        assert positions(there) == positions(here)
        ended += int(shown.done.sum())
    assert ended > 0


def reset_both(game: Game) -> None:
    """Compare resets of some games, then of all with another seed."""
    here, there = both(game)
    for env in (here, there):
        env.step(env.sample())
        env.reset(games=np.array([True, False, True]))
    assert positions(there) == positions(here)
    is_same(there.buffers.observations, here.buffers.observations)
    for env in (here, there):
        env.reset(seed=SEED + 1)
    assert positions(there) == [game.start()] * GAMES
    is_same(there.sample(), here.sample())


def refuse_both(game: Game) -> None:
    """Check that both refuse an illegal action with the same message and don't change."""
    here, there = both(game)
    for env in (here, there):
        env.step([0] * GAMES)
    for actions in ([1, 0, 1], [1, -1, 1], [1, 1, 2**40]):
        assert refusal(there, actions) == refusal(here, actions) != ""
        assert positions(there) == positions(here)


def play_out_both(game: Game) -> None:
    """Compare whole playouts."""
    played = playouts(game, GAMES, SEED)
    states, scratches = np.zeros(1, game.description.rules.STATE), game.scratch
    for i in range(GAMES):
        scores, rng = np.zeros(game.players), random_state((SEED << 32) + i)
        plies = playout.playouts(game.board, states, scratches, rng, scores, 1, 0)
        is_same(played.plies[i : i + 1], np.array([plies]))
        is_same(played.scores[i], scores)


def is_same(on_device: Any, array: np.ndarray) -> None:
    """Check that two arrays have equal numbers, types and shapes."""
    copied = on_device.copy_to_host()
    assert copied.dtype == array.dtype
    assert np.array_equal(copied, array)


def positions(env: VectorEnv | CudaEnv) -> list[kakomi.Position]:
    return [env.position(i) for i in range(GAMES)]


def refusal(env: VectorEnv | CudaEnv, actions: list[int]) -> str:
    try:
        env.step(actions)
    except kakomi.IllegalAction as refused:
        return str(refused)
    return ""
