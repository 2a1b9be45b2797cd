"""The arrays that threads work on, in the order in which each of their functions takes them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from kakomi.core import Game
from kakomi.kernel.cuda import on_device
from kakomi.research.buffers import Buffers
from kakomi.research.modes import Autoreset
from kakomi.research.observation import observation_spec

Arguments = tuple[Any, ...]
Put = Callable[[np.ndarray], Any]
"""Puts an array where the threads find it."""


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
        self._played = put(np.zeros(n, np.int8))  # every game's status, as illegal actions are refused
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
    """The arrays of n playouts, for their threads; the last two are the final scores and the plies."""
    rules = game.description.rules
    space = np.zeros(n, rules.STATE), np.zeros(n, rules.SCRATCH)
    results = np.zeros((n, game.players)), np.zeros(n, np.int64)
    return put(game.board), *map(put, space), rngs, *map(put, results)
