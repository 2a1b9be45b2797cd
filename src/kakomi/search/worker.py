"""One thread of a search: the space that it works in, and how much it does at a time."""

import time
from collections.abc import Callable

import numpy as np

from kakomi.core import Game
from kakomi.core.search_config import SearchConfig
from kakomi.kernel import random_state
from kakomi.search.limits import Limits
from kakomi.search.mcts import simulate
from kakomi.search.tree import Tree

DEEPEST = 4096
"""Plies below the root that the tree may reach; further down only playouts go."""


class Worker:
    """Makes simulations in a tree that it may share with others."""

    def __init__(self, game: Game, tree: Tree, tuning: SearchConfig, seed: int) -> None:
        rules = game.description.rules
        self._board = game.board
        self._tree = tree
        self._most_plies = game.cut_off or 0
        self._states = np.zeros(1, rules.STATE)
        self._scratch = np.zeros(1, rules.SCRATCH)
        self._path = np.zeros(DEEPEST, np.int64)
        self._rng = random_state(seed)
        self._gains = np.zeros(game.players)
        self._clock = np.ones(1, np.int64)
        self._last_played = np.zeros((game.players, len(game.actions)), np.int64)
        self._priors = np.zeros(len(game.actions))
        self._tuning = tuning.record()
        self._slice = 8

    def work(self, roots: np.ndarray, limits: Limits, after_slice: Callable[[], None] | None = None) -> None:
        """Simulate from a root until a limit is reached."""
        while n := limits.grant(self._slice):
            started = time.perf_counter()
            limits.give_back(n - self.simulate(roots, n))
            self._size_slice(n, time.perf_counter() - started, limits.slice_seconds)
            if self._tree.is_proven:
                limits.end()
            if after_slice:
                after_slice()

    @property
    def plies(self) -> int:
        """Plies played so far, in the tree and in playouts."""
        return int(self._clock[0]) - 1

    def simulate(self, roots: np.ndarray, n: int) -> int:
        """Make n simulations, or fewer if the result is proven before; how many."""
        return int(simulate(*self._arguments(roots, n)))

    def warm(self, roots: np.ndarray) -> bool:
        """Compile without simulating; whether that was needed."""
        return simulate.warm(*self._arguments(roots, 1))

    def _arguments(self, roots: np.ndarray, n: int) -> tuple[object, ...]:
        tree = self._tree
        return (
            self._board,
            roots,
            self._states,
            self._scratch,
            tree.used,
            tree.nodes,
            tree.visits,
            tree.first_children,
            tree.sums,
            self._path,
            self._clock,
            self._last_played,
            self._priors,
            self._rng,
            self._gains,
            self._tuning,
            n,
            self._most_plies,
        )

    def _size_slice(self, n: int, seconds: float, aim: float) -> None:
        """Come nearer to the seconds aimed at, growing gently: the first slices tell little."""
        wanted = n * aim / max(seconds, 1e-9)
        self._slice = int(max(1, min(wanted, 4 * self._slice)))
