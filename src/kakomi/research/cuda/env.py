"""Many games stepped at once on a GPU."""

from typing import Any

import numpy as np

from kakomi.core import Game, IllegalAction, Position
from kakomi.kernel.cuda import as_array, need_gpu, on_device
from kakomi.research.buffers import Buffers, random_states
from kakomi.research.cuda import threads
from kakomi.research.cuda.memory import EnvMemory
from kakomi.research.modes import Autoreset
from kakomi.research.observation import observation_spec
from kakomi.research.steps import ILLEGAL
from kakomi.research.vector import game_of


class CudaEnv:
    """As `kakomi.research.VectorEnv`, on a GPU: n games, one a thread, stepped within the GPU's memory.

    The same seeds and actions lead to the same as there. What `reset` and `step` answer are device arrays:
    they have a `__cuda_array_interface__`, by which PyTorch, CuPy and JAX take them without a copy, and
    `copy_to_host()`.

    Args: `game`, or the name of one with its default options; `n`, how many of them; `seed` for `sample`;
    `autoreset`, one of `Autoreset` or its name. Raises ValueError for any of them that can't be,
    RuntimeError if there is no GPU.
    """

    def __init__(
        self, game: Game | str, n: int, *, seed: int = 0, autoreset: Autoreset | str = Autoreset.NEXT_STEP
    ) -> None:
        if n < 1:
            raise ValueError(f"n is {n}; an environment needs at least one game")
        self.autoreset = Autoreset.parse(autoreset)
        need_gpu()
        self.game, self.n = game_of(game), n
        self.observation_spec = observation_spec(self.game)
        """The content and layout of observations."""
        self._memory = EnvMemory(self.game, n, self.autoreset)
        self._everyone = on_device(np.ones(n, np.bool_))
        self.reset(seed=seed)

    @property
    def buffers(self) -> Buffers:
        """The results of `reset` and `step`, always the same device arrays."""
        return self._memory.buffers

    @property
    def shown(self) -> Buffers:
        """The buffers, by an earlier name."""
        return self.buffers

    @property
    def final_observations(self) -> Any:
        """With the autoreset "same_step": of the games that the last step ended, what there was at their
        end; of others something older.
        """
        return self._memory.final_observations

    def reset(self, *, seed: int | None = None, games: Any = None) -> Buffers:
        """Reset all games, or those where `games` (bool, n) is true; with a seed, `sample` too."""
        chosen = self._everyone if games is None else self._taken("games", games, "b", "bool")
        if seed is not None:
            self._rngs = on_device(random_states(seed, self.n))
        threads.begin(self.n, *self._memory.of_begin(chosen))
        return self.buffers

    def step(self, actions: Any, *, trusted: bool = False) -> Buffers:
        """Play one action in every game; those of games that are over are left aside.

        `actions` are n integers, best in the GPU's memory. Raises IllegalAction for the first that is not
        allowed, and then nothing has changed; ValueError for anything but n integers. To find it the call
        waits for the GPU. `trusted` actions are played unseen, and must be legal.
        """
        given = self._taken("actions", actions, "iu", "integers")
        if not trusted:
            self._refuse_illegal(given)
        threads.step(self.n, *self._memory.of_step(given))
        return self.buffers

    def sample(self) -> Any:
        """A legal action for each game, 0 where it is over: int64 (n) in the GPU's memory, written over by
        the next call.
        """
        threads.sample(self.n, *self._memory.of_sample(self._rngs))
        return self._memory.sampled

    def position(self, i: int) -> Position:
        """The position of game `i`."""
        return self.game.restored(self._memory.states[i : i + 1].copy_to_host())

    def __repr__(self) -> str:
        return f"CudaEnv({self.game!r}, {self.n}, autoreset={self.autoreset.name.lower()!r})"

    def _taken(self, name: str, values: Any, kinds: str, wanted: str) -> Any:
        given = as_array(values)
        if given.shape != (self.n,) or given.dtype.kind not in kinds:
            raise ValueError(
                f"{name} are {given.dtype.name} {given.shape}; they must be {wanted} ({self.n},)"
            )
        return on_device(given)

    def _refuse_illegal(self, actions: Any) -> None:
        threads.look_for_illegal(self.n, *self._memory.of_look_for_illegal(actions))
        wrong = self._memory.status.copy_to_host() == ILLEGAL
        if wrong.any():
            first = int(wrong.argmax())
            action = int(actions[first : first + 1].copy_to_host()[0])
            raise IllegalAction(f"game {first}: {self.position(first).why_illegal(action)}")
