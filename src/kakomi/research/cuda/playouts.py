"""Random games to the end on a GPU."""

from dataclasses import dataclass
from typing import Any

from kakomi.core import Game
from kakomi.kernel.cuda import need_gpu, on_device
from kakomi.research.buffers import random_states
from kakomi.research.cuda import threads
from kakomi.research.cuda.memory import of_play_out


@dataclass(frozen=True)
class Played:
    """The results of n random games, in the GPU's memory."""

    scores: Any
    """float64 (n, players): the final scores."""
    plies: Any
    """int64 (n): the number of actions in each."""


def playouts(game: Game, n: int, seed: int = 0) -> Played:
    """Play n random games, each in a thread of its own.

    Equal seeds give equal games; `VectorEnv(game, n, seed=seed)` samples the same actions. Raises
    ValueError if n is below 1, RuntimeError if there is no GPU.
    """
    if n < 1:
        raise ValueError(f"n is {n}; at least one game has to be played")
    need_gpu()
    *space, scores, plies = of_play_out(game, n, on_device(random_states(seed, n)))
    threads.play_out(n, *space, scores, plies)
    return Played(scores, plies)
