"""A search that asks a network, as a program uses it."""

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
"""The share of a network in a value at which there are no playouts."""
NETWORK_PUCT = 0.6
"""The weight of shares that a network gives, whatever that of the game's own prior is."""
FPU_REDUCTION = 0.2
"""What an action that a network did not recommend enough to be visited promises less."""


def advised(config: SearchConfig, mix: float) -> SearchConfig:
    """A game's settings for a search that a network advises: by PUCT, sceptical of actions not yet visited,
    and asking everywhere if there are no playouts."""
    return replace(
        config,
        puct=NETWORK_PUCT,
        fpu_reduction=config.fpu_reduction or FPU_REDUCTION,
        expand_after=0.0 if mix == ALONE else config.expand_after,
    )


class Evaluator(Protocol):
    """A network for one game, with inputs and an answer of its own."""

    @property
    def advice(self) -> Advice:
        """The inputs and the answer."""

    def evaluate(self) -> None:
        """Write the answer to the inputs."""


class OwnEvaluator(Evaluator, Protocol):
    """One that serves a single search, which has it compiled."""

    def warm(self) -> bool:
        """Compile what evaluates, if anything is compiled for that; whether that was needed."""

    def is_compiled(self) -> bool:
        """Whether nothing need be compiled."""


class AdvisedSearch(Search):
    """Monte-Carlo tree search that asks a network where a node grows (`kakomi.search.advice`), on one thread.

    Args: `evaluator`, a network for this game, which no other search uses; `mix`, 0 to 1, the network's
    share in the value of a simulation. With 0 it only says which actions deserve visits; with 1 there are no
    playouts. `config`, the settings; without it what `advised` makes of the game's. Raises ValueError for
    another mix.
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
        self._evaluator, self._mix = evaluator, mix
        super().__init__(game, config=config or advised(game.description.search_config, mix), **settings)

    run = one_at_a_time(Search.run, lambda self: self._evaluator.advice)

    def warm(self) -> bool:
        """Compile for this game without searching; whether that was needed."""
        evaluating = self._evaluator.warm()
        return super().warm() or evaluating

    def is_compiled(self) -> bool:
        """Whether it need not be compiled for this game."""
        return super().is_compiled() and self._evaluator.is_compiled()

    def _worker(self, seed: int) -> Worker:
        return AdvisedWorker(self.game, self._tree, self.config, seed, self._evaluator, self._mix)


class AdvisedWorker(Worker):
    """Makes simulations that wait for advice; alone in its tree."""

    _advice: Advice

    def __init__(
        self, game: Game, tree: Tree, config: SearchConfig, seed: int, evaluator: Evaluator, mix: float
    ) -> None:
        super().__init__(game, tree, config, seed)
        self._evaluate, self._advice, self._mix = evaluator.evaluate, evaluator.advice, float(mix)
        evaluator.advice.pause[:] = 0

    def simulate(self, roots: np.ndarray, n: int) -> int:
        """Make n simulations, or fewer if the result is proven before. Returns their number."""
        made = self.advance(roots, n)
        while self.is_waiting:
            self._evaluate()
            made += self.advance(roots, n - made)
        return made

    def advance(self, roots: np.ndarray, n: int) -> int:
        """Go on until a simulation waits for an answer, the result is proven or n have ended; how many."""
        return super().simulate(roots, n)

    @property
    def is_waiting(self) -> bool:
        """Whether the inputs are written, and the answer is to be."""
        return bool(self._advice.pause[WAITING])
