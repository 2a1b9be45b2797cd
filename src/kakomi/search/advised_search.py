"""The public interface of a search that a network advises."""

from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from kakomi.core import Game
from kakomi.core.level_config import SearchConfig
from kakomi.core.system import one_at_a_time
from kakomi.search.advice import WAITING, Advice
from kakomi.search.search import Search
from kakomi.search.tree import Tree
from kakomi.search.worker import Worker

ALONE = 1.0
"""The network's share in a simulation's value at which playouts are left out."""
NETWORK_PUCT = 0.6
"""The weight of a network's shares in PUCT, whatever the weight of the game's own prior is."""
FPU_REDUCTION = 0.2
"""How much less than its parent's value an unvisited action is assumed to be worth."""


def advised(config: SearchConfig, mix: float) -> SearchConfig:
    """Adapt a game's settings to a network: PUCT, lower values for unvisited actions, and an evaluation of
    every node if there are no playouts."""
    return replace(
        config,
        puct=NETWORK_PUCT,
        fpu_reduction=config.fpu_reduction or FPU_REDUCTION,
        expand_after=0.0 if mix == ALONE else config.expand_after,
    )


class Evaluator(Protocol):
    """A network for one game, with its own buffers for inputs and answer."""

    @property
    def advice(self) -> Advice:
        """The buffers for inputs and answer."""

    def evaluate(self) -> None:
        """Compute the answer from the inputs."""


class OwnEvaluator(Evaluator, Protocol):
    """An evaluator that serves a single search and is compiled with it."""

    def warm(self) -> bool:
        """Compile the evaluator, if it uses compiled code. Return whether that was needed."""

    def is_compiled(self) -> bool:
        """Whether nothing remains to be compiled."""


class AdvisedSearch(Search):
    """Monte-Carlo tree search that evaluates new nodes by a network (`kakomi.search.advice`), on one thread.

    Args: `evaluator`, a network for this game that no other search uses; `mix`, 0 to 1, the network's share
    in the value of a simulation. With 0 the network only supplies priors; with 1 there are no playouts.
    `config`, the settings, by default the game's as adapted by `advised`. Raises ValueError if `mix` is out
    of range.
    """

    _is_advised, _threads_may_share = True, False

    def __init__(
        self,
        game: Game,
        *,
        evaluator: OwnEvaluator,
        mix: float = ALONE,
        config: SearchConfig | None = None,
        **settings: Any,
    ) -> None:
        if not 0 <= mix <= ALONE:
            raise ValueError(f"mix is {mix:g}; it must be from 0, playouts alone, to 1, the network alone")
        self._evaluator, self._mix, self._is_calibrated = evaluator, mix, mix < ALONE
        super().__init__(game, config=config or advised(game.description.search_config, mix), **settings)

    run = one_at_a_time(Search.run, lambda self: self._evaluator.advice)

    def warm(self) -> bool:
        """Compile for this game without searching. Return whether that was needed."""
        evaluating = self._evaluator.warm()
        return super().warm() or evaluating

    def is_compiled(self) -> bool:
        """Whether it is already compiled for this game."""
        return super().is_compiled() and self._evaluator.is_compiled()

    def _worker(self, seed: int) -> Worker:
        return AdvisedWorker(self.game, self._tree, self.config, seed, self._evaluator, self._mix)


class AdvisedWorker(Worker):
    """Runs simulations that pause for a network's answer; shares its tree with no other worker."""

    _advice: Advice

    def __init__(
        self, game: Game, tree: Tree, config: SearchConfig, seed: int, evaluator: Evaluator, mix: float
    ) -> None:
        super().__init__(game, tree, config, seed)
        self._evaluate, self._advice, self._mix = evaluator.evaluate, evaluator.advice, float(mix)
        evaluator.advice.pause[:] = 0

    def simulate(self, roots: np.ndarray, n: int) -> int:
        """Run n simulations, or fewer if the result is proven earlier. Return their number."""
        made = self.advance(roots, n)
        while self.is_waiting:
            self._evaluate()
            made += self.advance(roots, n - made)
        return made

    def advance(self, roots: np.ndarray, n: int) -> int:
        """Run until one waits for an answer, the result is proven or n have ended. Return how many ended."""
        return super().simulate(roots, n)

    @property
    def is_waiting(self) -> bool:
        """Whether the inputs are written and the answer is due."""
        return bool(self._advice.pause[WAITING])
