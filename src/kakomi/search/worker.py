"""One thread of a search: its working space and the size of its slices of work."""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from kakomi.core import Game
from kakomi.core.level_config import SearchConfig
from kakomi.kernel import Driver, random_state
from kakomi.search.advice import Advice
from kakomi.search.limits import Limits
from kakomi.search.mcts import simulate
from kakomi.search.patterns import Patterns
from kakomi.search.tree import Tree

DEEPEST = 4096
"""The maximum depth of the tree in plies; only playouts go deeper."""


class Workspace(NamedTuple):
    """The working space of one thread of a search, for compiled code. A is the game's number of actions."""

    states: np.ndarray
    """STATE of the game [1]: the simulation's current position."""
    scratches: np.ndarray
    """SCRATCH of the game [1]: working space of the rules."""
    path: np.ndarray
    """int64 [DEEPEST]: the numbers of the nodes from the root down."""
    clock: np.ndarray
    """int64 [1]: plies played so far in the tree and in playouts, plus 1."""
    last_played: np.ndarray
    """int64 [players, A]: the clock when a player last played an action."""
    priors: np.ndarray
    """float64 [A]: the priors of the actions of the node being expanded."""
    rng: np.ndarray
    """uint64 [1]: the random number generator."""
    gains: np.ndarray
    """float64 [players]: the gains of the simulation."""


class Worker:
    """Runs simulations in a tree that it may share with other workers."""

    _advice: Advice | None = None
    _patterns: Patterns | None = None
    _mix = 0.0

    def __init__(self, game: Game, tree: Tree, config: SearchConfig, seed: int) -> None:
        rules = game.description.rules
        self._board = game.board
        self._tree = tree
        self._most_plies = game.cut_off or 0
        self._space = Workspace(
            states=np.zeros(1, rules.STATE),
            scratches=np.zeros(1, rules.SCRATCH),
            path=np.zeros(DEEPEST, np.int64),
            clock=np.ones(1, np.int64),
            last_played=np.zeros((game.players, len(game.actions)), np.int64),
            priors=np.zeros(len(game.actions)),
            rng=random_state(seed),
            gains=np.zeros(game.players),
        )
        self._config = config.record()
        self._slice = 1

    def work(self, roots: np.ndarray, limits: Limits, after_slice: Callable[[], None] | None = None) -> None:
        """Run simulations from a root until a limit is reached."""
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
        return int(self._space.clock[0]) - 1

    def simulate(self, roots: np.ndarray, n: int) -> int:
        """Run n simulations, or fewer if the result is proven earlier. Return their number."""
        return int(simulate(*self._arguments(roots, n)))

    def warm(self, roots: np.ndarray) -> bool:
        """Compile without simulating. Return whether that was needed."""
        driver, arguments = self._call(roots)
        return driver.warm(*arguments)

    def is_compiled(self, roots: np.ndarray) -> bool:
        """Whether the code is compiled, in memory or on disk."""
        driver, arguments = self._call(roots)
        return driver.is_cached(arguments)

    def _call(self, roots: np.ndarray) -> tuple[Driver, tuple[object, ...]]:
        """Return the compiled function, and arguments of the types that it is called with."""
        return simulate, self._arguments(roots, 1)

    def _arguments(self, roots: np.ndarray, n: int) -> tuple[object, ...]:
        searched = self._board, roots, self._tree.arrays, self._space, self._config, n, self._most_plies
        return *searched, self._advice, self._patterns, self._mix

    def _size_slice(self, n: int, seconds: float, aim: float) -> None:
        """Adapt the slice to the target time, growing gradually: the first slices are too short to time."""
        wanted = n * aim / max(seconds, 1e-9)
        self._slice = int(max(1, min(wanted, 4 * self._slice)))
