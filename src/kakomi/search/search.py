"""A tree search as a program uses it: limits, stopping, and a tree that is kept between calls."""

import threading
import time
from collections.abc import Callable

import numpy as np

from kakomi.core import Game, Position
from kakomi.kernel import Mode, mode, random_state
from kakomi.search.decisive import DecisiveTurn, find_win
from kakomi.search.report import Line, Report
from kakomi.search.tree import NO_CHILDREN, ROOT, Tree
from kakomi.search.uct import simulate

EXPLORATION = 1.0
MEMORY_MB = 256.0
SLICE_SECONDS = 0.03
"""How long the compiled loop runs before it looks whether it should stop."""
DEEPEST = 4096
"""Plies below the root that the tree may reach; further down play is random."""


class Search:
    """UCT for one game. One search is for one thread at a time; several may run side by side.

    The same seed and the same calls with limits in simulations give the same visits, on any machine.
    """

    def __init__(
        self,
        game: Game,
        *,
        seed: int = 0,
        exploration: float = EXPLORATION,
        memory_mb: float = MEMORY_MB,
    ) -> None:
        self.game = game
        self.exploration = float(exploration)
        self._tree = Tree(game.players, len(game.actions), memory_mb)
        self._rng = random_state(seed)
        rules = game.description.rules
        self._states = np.zeros(1, rules.STATE)
        self._scratch = np.zeros(1, rules.SCRATCH)
        self._path = np.zeros(DEEPEST, np.int64)
        self._gains = np.zeros(game.players)
        limit = game.description.ply_limit
        self._most_plies = limit(game.geometry, game.options) if limit else 0
        self._decisive = DecisiveTurn(game)
        self._position: Position | None = None
        self._slice = 16

    def run(
        self,
        position: Position,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
        on_slice: Callable[[Report], None] | None = None,
    ) -> Report:
        """Search a position until a limit is reached or `stop` is set; at least one simulation.

        If play came here from the position of the last call, its tree is used on. `on_slice` is called
        every few hundredths of a second with the report so far. Raises ValueError without a limit or
        for a finished game.
        """
        if position.game != self.game:
            raise ValueError(f"this search is for {self.game!r}, not {position.game!r}")
        if position.is_over:
            raise ValueError("the game is over: there is nothing to search")
        if simulations is None and seconds is None and stop is None:
            raise ValueError("a search needs a limit: simulations, seconds or a stop event")
        if seconds is not None and mode() is not Mode.INTERPRETED:
            self.warm()  # compiling is no thinking
        started = time.perf_counter()
        self._move_root(position)
        roots = position.states()
        winning = self._decisive.first_action(position)
        done = plies = 0
        while True:
            n = self._slice if simulations is None else max(1, min(self._slice, simulations - done))
            slice_started = time.perf_counter()
            plies += self._simulate(roots, n)
            if winning is not None:  # now that the root has children
                self._tree.mark_won(winning)
                winning = None
            now = time.perf_counter()
            done += n
            self._size_slice(n, now - slice_started)
            finished = (
                (simulations is not None and done >= simulations)
                or (seconds is not None and now - started >= seconds)
                or (stop is not None and stop.is_set())
            )
            if finished or on_slice:
                report = self._report(done, plies, now - started)
            if on_slice:
                on_slice(report)
            if finished:
                return report

    def warm(self) -> bool:
        """Compile for this game without searching; whether that was needed."""
        position = self.game.start()
        decisive: bool = find_win.warm(*self._decisive.arguments())
        compiled: bool = simulate.warm(*self._arguments(position.states(), 1))
        return compiled or decisive

    def _move_root(self, position: Position) -> None:
        if self._position is not position:
            actions = None if self._position is None else position.actions_since(self._position)
            if actions is None:
                self._tree.clear()
            else:
                self._tree.descend(actions)
        self._position = position

    def _simulate(self, roots: np.ndarray, n: int) -> int:
        return int(simulate(*self._arguments(roots, n)))

    def _arguments(self, roots: np.ndarray, n: int) -> tuple[object, ...]:
        tree = self._tree
        return (
            self.game.board,
            roots,
            self._states,
            self._scratch,
            tree.header,
            tree.nodes,
            tree.sums,
            self._path,
            self._rng,
            self._gains,
            self.exploration,
            n,
            self._most_plies,
        )

    def _size_slice(self, n: int, seconds: float) -> None:
        """Aim at `SLICE_SECONDS`; the first call may have included compiling, so grow gently."""
        wanted = n * SLICE_SECONDS / max(seconds, 1e-9)
        self._slice = int(max(1, min(wanted, 4 * self._slice)))

    def _report(self, simulations: int, plies: int, seconds: float) -> Report:
        tree = self._tree
        visits = int(tree.nodes["visits"][ROOT])
        lines = self._lines(ROOT)
        return Report(
            action=lines[0].action,
            simulations=simulations,
            plies=plies,
            seconds=seconds,
            values=tuple(float(total) / visits for total in tree.sums[ROOT]),
            lines=lines,
            principal=self._principal(),
            is_full=tree.is_full,
        )

    def _lines(self, node: int) -> tuple[Line, ...]:
        """A node's visited children, best first."""
        children = self._tree.children(node)
        nodes, sums = (
            self._tree.nodes[children.start : children.stop],
            self._tree.sums[children.start : children.stop],
        )
        lines = [
            Line(
                int(child["action"]),
                int(child["visits"]),
                float(total[child["player"]] / child["visits"]) if child["visits"] else 1.0,
                wins=bool(child["winner"] == child["player"]),
            )
            for child, total in zip(nodes, sums, strict=True)
            if child["visits"] or child["winner"] == child["player"]
        ]
        return tuple(sorted(lines, key=lambda line: (not line.wins, -line.visits, -line.value, line.action)))

    def _principal(self) -> tuple[int, ...]:
        actions: list[int] = []
        node = ROOT
        while self._tree.nodes[node]["first_child"] != NO_CHILDREN and (lines := self._lines(node)):
            actions.append(lines[0].action)
            node = self._tree.child(node, lines[0].action) or ROOT
        return tuple(actions)
