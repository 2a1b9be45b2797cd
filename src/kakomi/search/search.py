"""The public interface of tree search, alone or with patterns: limits, stopping, threads, and a tree kept
between calls. It needs only NumPy and Numba.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from kakomi.core import Game, Position
from kakomi.core.level_config import SearchConfig
from kakomi.core.returns import return_of
from kakomi.core.system import one_at_a_time
from kakomi.kernel import Mode, load_compiler, mode
from kakomi.search.limits import SLICE_SECONDS, Limits
from kakomi.search.pattern_table import PatternTable
from kakomi.search.report import Report, RootReport
from kakomi.search.tree import ROOT, Tree
from kakomi.search.win_check import WinCheck, find_win
from kakomi.search.worker import Worker

MEMORY_MB = 256.0
INTERPRETED_SECONDS = 1.0
"""The maximum time, in seconds, of a search limited in simulations while `Mode.ADAPTIVE` interprets it.
Interpreted simulations take a hundred times as long, and a user is waiting."""
_SEEDS_APART = 0x9E3779B9
"""The difference between the seeds of a search's threads, so that searches with adjacent seeds share none."""


class Search:
    """Monte-Carlo tree search for one game (`kakomi.search.mcts`), on one or more threads.

    Only one call at a time is allowed; several searches may run in parallel. On one thread the same seed and
    the same calls, limited in simulations, give the same visits on any machine.
    """

    _is_advised: ClassVar[bool] = False
    """Whether patterns or a network advise it; a plain `Search` then replaces it until it is compiled."""
    _threads_may_share: ClassVar[bool] = True
    """Whether several threads can share its tree."""
    _is_calibrated: bool = True
    """Whether its chances need the game's `sharpness`, as those from playouts do."""

    def __init__(
        self,
        game: Game,
        *,
        seed: int = 0,
        threads: int = 1,
        memory_mb: float = MEMORY_MB,
        config: SearchConfig | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        if threads < 1:
            raise ValueError(f"threads is {threads}; a search needs at least one")
        if threads > 1 and not self._threads_may_share:
            raise ValueError(f"threads is {threads}; {type(self).__name__} works on one")
        self.game = game
        self.config = config or game.description.search_config
        self._tree = Tree(game.players, len(game.actions), memory_mb)
        self._workers = [self._worker(seed + i * _SEEDS_APART) for i in range(threads)]
        self.sharpness = game.description.sharpness if self._is_calibrated else 1.0
        self._findings = RootReport(self._tree, game.players, self._as_value(game.players), self.sharpness)
        self._decisive = WinCheck(game)
        self._clock = clock
        self._plain = partial(Search, game, seed=seed, threads=threads, memory_mb=memory_mb, clock=clock)
        self._substitute: Search | None = None
        """The plain search used until an advised search is compiled."""
        self._position: Position | None = None
        self._is_warm = False

    @one_at_a_time
    def run(
        self,
        position: Position,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
        on_slice: Callable[[Report], None] | None = None,
    ) -> Report:
        """Search a position until a limit is reached, `stop` is set or its result is proven.

        It runs at least one simulation. If the position follows from that of the last call, its tree is
        reused. `on_slice` is called every few hundredths of a second with the report so far. In
        `Mode.ADAPTIVE` a search that isn't compiled yet is short (`INTERPRETED_SECONDS`) and uses no advice.
        Raises ValueError without a limit or for a finished game, and RuntimeError during another call.
        """
        if position.game != self.game:
            raise ValueError(f"this search is for {self.game!r}, not {position.game!r}")
        if position.is_over:
            raise ValueError("the game is over: there is nothing to search")
        if simulations is None and seconds is None and stop is None:
            raise ValueError("a search needs a limit: simulations, seconds or a stop event")
        if not self._is_ready():
            if self._is_advised:
                self._substitute = self._substitute or self._plain()
                return self._substitute.run(
                    position, simulations=simulations, seconds=seconds, stop=stop, on_slice=on_slice
                )
            if simulations is not None:
                seconds = min(INTERPRETED_SECONDS, seconds or INTERPRETED_SECONDS)
        limits = Limits(simulations, seconds, stop, self._clock)
        plies_before = self._plies
        self._move_root(position)
        roots = position.states()

        def report() -> Report:
            return self._report(position.to_move, limits, self._plies - plies_before)

        self._look_for_win(position, roots, limits)
        after_slice = None if on_slice is None else lambda: on_slice(report())
        if len(self._workers) == 1:
            self._workers[0].work(roots, limits, after_slice)
        else:
            self._work_together(roots, limits, after_slice)
        return report()

    def _is_ready(self) -> bool:
        """Compile before the clock starts. Return False if `Mode.ADAPTIVE` has to interpret the search."""
        if not self._is_warm and mode() is not Mode.INTERPRETED:
            if mode() is Mode.ADAPTIVE and not self.is_compiled():
                return False
            self.warm()
            self._is_warm, self._substitute = True, None
        return True

    def warm(self) -> bool:
        """Compile for this game without searching, the slowest part first. Return whether that was needed."""
        simulating = self._workers[0].warm(self.game.start().states())
        decisive: bool = find_win.warm(*self._decisive.arguments())
        return simulating or decisive

    def is_compiled(self) -> bool:
        """Whether it is already compiled for this game."""
        load_compiler()
        return self._workers[0].is_compiled(self.game.start().states())

    def _worker(self, seed: int) -> Worker:
        return Worker(self.game, self._tree, self.config, seed)

    @property
    def _plies(self) -> int:
        return sum(worker.plies for worker in self._workers)

    def _move_root(self, position: Position) -> None:
        if self._position is not position:
            actions = None if self._position is None else position.actions_since(self._position)
            if actions is None:
                self._tree.clear()
            else:
                self._tree.descend(actions)
                if actions and self._tree.is_crowded:
                    self._tree.clear()  # what was kept would leave too little room to grow
        self._position = position

    def _look_for_win(self, position: Position, roots: np.ndarray, limits: Limits) -> None:
        """Run a first simulation, which expands the root, and mark a turn that wins at once, if any."""
        winning = self._decisive.first_action(position) if self.config.use_proofs > 0 else None
        self._workers[0].simulate(roots, limits.grant(1))
        if winning is not None:
            self._tree.mark_won(winning)
        if self._tree.is_proven:
            limits.end()

    def _work_together(
        self, roots: np.ndarray, limits: Limits, after_slice: Callable[[], None] | None
    ) -> None:
        threads = [
            threading.Thread(target=worker.work, args=(roots, limits), daemon=True)
            for worker in self._workers
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(SLICE_SECONDS)
                    if after_slice:
                        after_slice()
        finally:  # also after Ctrl-C or an error in `after_slice`
            limits.end()
            for thread in threads:
                thread.join()

    def _report(self, to_move: int, limits: Limits, plies: int) -> Report:
        return Report(
            to_move=to_move,
            simulations=limits.simulations,
            seconds=limits.elapsed,
            returns=self._findings.returns(ROOT),
            lines=self._findings.lines(),
            is_proven=self._tree.is_proven,
            is_full=self._tree.is_full,
            plies=plies,
        )

    @staticmethod
    def _as_value(players: int) -> Callable[[float], float]:
        """Return a function from mean gains to returns. A bound method would refer to the search and keep it
        alive."""
        return lambda mean: return_of(mean, players)


PATTERN_MIX = 0.5
"""The share of patterns in the value of a simulation; playouts have the other half."""
PATTERN_PUCT = 0.5
"""The weight of shares in PUCT for games whose own search doesn't use PUCT."""


def by_patterns(config: SearchConfig) -> SearchConfig:
    """Adapt a game's settings to a search with patterns."""
    return replace(config, puct=config.puct or PATTERN_PUCT)


class PatternSearch(Search):
    """Monte-Carlo tree search that patterns advise (`kakomi.search.patterns`).

    Args: `table`, a table for this game; `mix`, 0 to 1, its share in the value of a simulation. With 0 it
    only supplies priors; with 1 there are no playouts. Raises ValueError if `mix` is out of range or the
    table is for another game.
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
    """Runs simulations that patterns advise."""

    def __init__(
        self, game: Game, tree: Tree, config: SearchConfig, seed: int, table: PatternTable, mix: float
    ) -> None:
        super().__init__(game, tree, config, seed)
        self._patterns, self._mix = table.patterns(game), float(mix)
