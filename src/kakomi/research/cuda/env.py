"""Many games stepped at once on a GPU, random playouts on a GPU, and a game's rules compiled to PTX."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kakomi.core import Game, IllegalAction, Position
from kakomi.kernel.cuda import CAPABILITY, as_array, need_gpu, on_device
from kakomi.research.buffers import Buffers, random_states
from kakomi.research.cuda import threads
from kakomi.research.modes import Autoreset
from kakomi.research.observation import observation_spec
from kakomi.research.steps import ILLEGAL
from kakomi.research.vector import game_of

Arguments = tuple[Any, ...]
Put = Callable[[np.ndarray], Any]
"""Moves an array to where the threads can access it."""


class EnvMemory:
    """The arrays of an environment of n games, for its threads."""

    def __init__(self, game: Game, n: int, autoreset: Autoreset, put: Put = on_device) -> None:
        rules, spec = game.description.rules, observation_spec(game)
        planes, spots = len(spec.planes), spec.height * spec.width
        endings = n if autoreset is Autoreset.SAME_STEP else 0
        kinds = Buffers.kinds(game, spec, n)
        self.buffers = Buffers(**{name: put(np.zeros(*kind)) for name, kind in kinds.items()})
        self.final_observations = put(np.zeros((endings, *spec.shape), np.float32))
        self.states = put(np.zeros(n, rules.STATE))
        self.sampled = put(np.zeros(n, np.int64))
        self.status = put(np.zeros(n, np.int8))
        """int8 (n): whether the action of each game is illegal."""
        self._rules = put(game.board), self.states, put(np.zeros(n, rules.SCRATCH))
        self._spots = put(spec.spots)
        self._autoreset = int(autoreset)
        self._played = put(np.zeros(n, np.int8))  # the status of every game: illegal actions are refused
        self._scores = put(np.zeros((n, game.players)))
        self._observations = self.buffers.observations.reshape(n, planes, spots)
        self._endings = self.final_observations.reshape(endings, planes, spots)

    def of_begin(self, chosen: Any) -> Arguments:
        return *self._rules, self._spots, chosen, *self._rows(), self._played

    def of_look_for_illegal(self, actions: Any) -> Arguments:
        return *self._rules, actions, self.status

    def of_step(self, actions: Any) -> Arguments:
        endings = self._autoreset, self._scores, self._endings
        return *self._rules, self._spots, actions, self._played, *self._rows(), *endings

    def of_sample(self, rngs: Any) -> Arguments:
        return *self._rules, self._played, rngs, self.sampled

    def _rows(self) -> Arguments:
        told = self.buffers
        return self._observations, told.masks, told.rewards, told.done, told.to_move


def of_play_out(game: Game, n: int, rngs: Any, put: Put = on_device) -> Arguments:
    """The arguments of n playouts for their threads; the last two arrays get the final scores and plies."""
    rules = game.description.rules
    space = np.zeros(n, rules.STATE), np.zeros(n, rules.SCRATCH)
    results = np.zeros((n, game.players)), np.zeros(n, np.int64)
    return put(game.board), *map(put, space), rngs, *map(put, results)


def ptx(game: Game, capability: tuple[int, int] = CAPABILITY) -> dict[str, str]:
    """The PTX of all GPU functions for a game, by their names in `threads`.

    It needs no GPU, so that authors of games can check whether their rules compile. `capability` is the
    target's compute capability. Raises TypeError, naming the game's rules, if they don't compile.
    """
    memory = EnvMemory(game, 1, Autoreset.SAME_STEP, np.asarray)
    rngs, chosen, actions = random_states(0, 1), np.ones(1, np.bool_), np.zeros(1, np.int64)
    calls = {
        threads.begin: memory.of_begin(chosen),
        threads.look_for_illegal: memory.of_look_for_illegal(actions),
        threads.step: memory.of_step(actions),
        threads.sample: memory.of_sample(rngs),
        threads.play_out: of_play_out(game, 1, rngs, np.asarray),
    }
    return {
        function.name: function.ptx(*arguments, capability=capability)
        for function, arguments in calls.items()
    }


@dataclass(frozen=True)
class Played:
    """The results of n random games, in the GPU's memory."""

    scores: Any
    """float64 (n, players): the final scores."""
    plies: Any
    """int64 (n): the number of actions in each."""


def playouts(game: Game, n: int, seed: int = 0) -> Played:
    """Play n random games, each in its own thread.

    Equal seeds give equal games; `VectorEnv(game, n, seed=seed)` samples the same actions. Raises
    ValueError if n is below 1, RuntimeError if there is no GPU.
    """
    if n < 1:
        raise ValueError(f"n is {n}; at least one game has to be played")
    need_gpu()
    *space, scores, plies = of_play_out(game, n, on_device(random_states(seed, n)))
    threads.play_out(n, *space, scores, plies)
    return Played(scores, plies)


class CudaEnv:
    """Like `kakomi.research.VectorEnv`, on a GPU: n games, one per thread, in the GPU's memory.

    The same seeds and actions give the same results. `reset` and `step` return device arrays, which have a
    `__cuda_array_interface__`, so that PyTorch, CuPy and JAX can share them without a copy, and
    `copy_to_host()`.

    Args: `game`, or the name of a game with its default options; `n`, the number of games; `seed` for
    `sample`; `autoreset`, a value of `Autoreset` or its name. Raises ValueError for invalid arguments, and
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
        """The former name of `buffers`."""
        return self.buffers

    @property
    def final_observations(self) -> Any:
        """With the autoreset "same_step", the final observations of the games that the last step ended; those
        of other games are stale.
        """
        return self._memory.final_observations

    def reset(self, *, seed: int | None = None, games: Any = None) -> Buffers:
        """Reset all games, or those where `games` (bool, n) is true; with a seed, also reseed `sample`."""
        chosen = self._everyone if games is None else self._taken("games", games, "b", "bool")
        if seed is not None:
            self._rngs = on_device(random_states(seed, self.n))
        threads.begin(self.n, *self._memory.of_begin(chosen))
        return self.buffers

    def step(self, actions: Any, *, trusted: bool = False) -> Buffers:
        """Play one action in every game; actions for games that are over are ignored.

        `actions` are n integers, preferably in the GPU's memory. Raises IllegalAction, without changing
        anything, for the first illegal action, and ValueError for anything but n integers. The check waits
        for the GPU; `trusted` actions aren't checked, and must be legal.
        """
        given = self._taken("actions", actions, "iu", "integers")
        if not trusted:
            self._refuse_illegal(given)
        threads.step(self.n, *self._memory.of_step(given))
        return self.buffers

    def sample(self) -> Any:
        """Draw a legal action for each game, 0 if it is over: int64 (n) in the GPU's memory, overwritten by
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
