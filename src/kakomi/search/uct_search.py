"""Plain UCT as a program uses it: the bar that the search proper is measured against."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kakomi.core import Game
from kakomi.search.search import Search
from kakomi.search.worker import PlainWorker, Worker


class PlainSearch(Search):
    """UCT as it was before anything was added (`kakomi.search.uct`), on one thread."""

    def __init__(self, game: Game, *, exploration: float | None = None, **settings: Any) -> None:
        tuned = game.description.tuning
        chosen = tuned if exploration is None else replace(tuned, plain_exploration=exploration)
        super().__init__(game, tuning=chosen, **settings)

    def _worker(self, seed: int) -> Worker:
        return PlainWorker(self.game, self._tree, self.tuning, seed)

    @staticmethod
    def _as_value(players: int) -> Callable[[float], float]:
        """Its gains are returns."""
        return lambda mean: mean
