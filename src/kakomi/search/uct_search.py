"""The public interface of plain UCT, the baseline for measuring the main search."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from kakomi.core import Game
from kakomi.kernel import Driver
from kakomi.search.search import Search
from kakomi.search.uct import simulate
from kakomi.search.worker import Worker


class PlainSearch(Search):
    """UCT without any extension (`kakomi.search.uct`), on one thread."""

    _threads_may_share, _is_calibrated = False, False

    def __init__(self, game: Game, *, exploration: float | None = None, **settings: Any) -> None:
        tuned = game.description.search_config
        chosen = tuned if exploration is None else replace(tuned, plain_exploration=exploration)
        super().__init__(game, config=chosen, **settings)

    def _worker(self, seed: int) -> Worker:
        return PlainWorker(self.game, self._tree, self.config, seed)

    @staticmethod
    def _as_value(players: int) -> Callable[[float], float]:
        """Return the identity: plain UCT sums returns."""
        return lambda mean: mean


class PlainWorker(Worker):
    """Runs simulations of plain UCT, whose only setting is its exploration; single-threaded."""

    def simulate(self, roots: np.ndarray, n: int) -> int:
        """Run n simulations."""
        self._space.clock[0] += int(simulate(*self._plain_arguments(roots, n)))
        return n

    def _call(self, roots: np.ndarray) -> tuple[Driver, tuple[object, ...]]:
        return simulate, self._plain_arguments(roots, 1)

    def _plain_arguments(self, roots: np.ndarray, n: int) -> tuple[object, ...]:
        exploration = float(self._config["plain_exploration"][0])
        return self._board, roots, self._tree.arrays, self._space, exploration, n, self._most_plies
