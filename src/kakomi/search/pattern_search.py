"""A search that patterns advise: no network runs, and nothing beside NumPy and Numba is needed."""

from dataclasses import replace
from typing import Any

from kakomi.core import Game
from kakomi.core.search_config import SearchConfig
from kakomi.search.pattern_table import PatternTable
from kakomi.search.search import Search
from kakomi.search.tree import Tree
from kakomi.search.worker import Worker

PATTERN_MIX = 0.5
"""The share of patterns in the value of a simulation: playouts say as much."""
PATTERN_PUCT = 0.5
"""The weight of shares where the game's own search goes without."""


def by_patterns(config: SearchConfig) -> SearchConfig:
    """A game's settings for a search that patterns advise."""
    return replace(config, puct=config.puct or PATTERN_PUCT)


class PatternSearch(Search):
    """Monte-Carlo tree search that goes by patterns (`kakomi.search.patterns`).

    Args: `table`, a table for this game; `mix`, 0 to 1, its share in the value of a simulation. With 0 it
    only says which actions deserve visits; with 1 there are no playouts. Raises ValueError for another mix,
    or for a table of another game.
    """

    _is_advised = True

    def __init__(
        self,
        game: Game,
        *,
        table: PatternTable,
        mix: float = PATTERN_MIX,
        config: SearchConfig | None = None,
        **settings: Any,
    ) -> None:
        if not 0 <= mix <= 1:
            raise ValueError(f"mix is {mix:g}; it must be from 0, playouts alone, to 1, the patterns alone")
        self._table, self._mix = table, mix
        super().__init__(game, config=config or by_patterns(game.description.search_config), **settings)

    def _worker(self, seed: int) -> Worker:
        return PatternWorker(self.game, self._tree, self.config, seed, self._table, self._mix)


class PatternWorker(Worker):
    """Makes simulations that patterns advise."""

    def __init__(
        self, game: Game, tree: Tree, config: SearchConfig, seed: int, table: PatternTable, mix: float
    ) -> None:
        super().__init__(game, tree, config, seed)
        self._patterns, self._mix = table.patterns(game), float(mix)
