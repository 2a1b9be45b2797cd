"""The solver, which searches one threshold after another until the value is known."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from kakomi.core import Position
from kakomi.core.system import one_at_a_time
from kakomi.core.validation import check_requirements
from kakomi.kernel import Mode, load_compiler, mode
from kakomi.solve.bounds import Bounds
from kakomi.solve.search import CUT_STEP, NOWHERE, begin, search_on
from kakomi.solve.space import Space
from kakomi.solve.table import Table

SLICE = 50_000
"""Positions per call of the compiled search, which take some hundredths of a second."""
FIRST_CUT = 8
"""The first cut-off, in plies, of a game without a guaranteed end."""


@dataclass(frozen=True)
class Progress:
    """A solver's progress."""

    bounds: Bounds
    threshold: int
    """The search tests whether the value is at least this."""
    cut: int | None
    """The cut-off of this search, in plies from the position; None: no cut-off."""
    part: float
    """The searched fraction of the first two levels, from 0 to 1."""
    nodes: int
    """The number of positions searched so far."""
    table_full: float
    """The fraction of the table in use, from 0 to 1, estimated."""


OnSlice = Callable[[Progress], bool]
"""Called every few hundredths of a second; returns whether to continue."""


class Solver:
    """Finds a position's exact value for one seat against all others together.

    The value is the final margin: the seat's score minus the best other score. A game without a guaranteed
    end is cut off and counted (RULES N12). Shorter cut-offs are solved first: that costs little, and the
    table, which distinguishes positions by the plies left, then helps to order actions for the longer ones.

    Raises ValueError if the game is over, if there is no such seat, or if the game can't be solved, for
    example because of chance. Its methods raise RuntimeError during another call.
    """

    def __init__(self, position: Position, seat: int = 0, memory_mb: float = 256) -> None:
        game = position.game
        if position.is_over:
            raise ValueError("the game is over: there is nothing to solve")
        check_requirements(game)
        if not 0 <= seat < game.players:
            raise ValueError(f"seat {seat}: {game.name} has players 0 to {game.players - 1}")
        self.position, self.seat = position, seat
        self.last_cut = None if game.cut_off is None else max(1, game.cut_off - position.ply)
        self.cut = None if self.last_cut is None else min(FIRST_CUT, self.last_cut)
        self.bounds = Bounds()
        self.guess = 1
        self.seconds = 0.0
        """The processor time used by the search, in seconds."""
        self.table = Table(memory_mb)
        self.space = Space(game, seat, self.last_cut, self.table)

    @property
    def nodes(self) -> int:
        """The number of positions searched so far."""
        return int(self.space.walk["nodes"])

    @property
    def is_done(self) -> bool:
        """Whether the value is known for the final cut-off."""
        return self.bounds.is_exact and self.cut == self.last_cut

    @property
    def value(self) -> int:
        """The margin under best play. Raises ValueError while it isn't known."""
        if not self.is_done or self.bounds.lower is None:
            raise ValueError("the value isn't known yet")
        return self.bounds.lower

    @property
    def collision_odds(self) -> float:
        """An upper bound on the probability of a key collision; 0 if keys are exact."""
        return self.space.keys.collision_odds(int(self.space.walk["looked_up"]), len(self.table.entries))

    def warm(self) -> None:
        """Compile the search, unless that is done."""
        begin.warm(*self.space.arguments())
        search_on.warm(*self.space.arguments())

    def is_compiled(self) -> bool:
        """Whether the search is already compiled for this game."""
        load_compiler()
        return search_on.is_cached(self.space.arguments())

    @one_at_a_time
    def run(self, on_slice: OnSlice | None = None) -> bool:
        """Search until the value is known or `on_slice` returns False. Return whether it is known."""
        while not self.is_done:
            if self.bounds.is_exact:
                self._widen_cut()
            if not self._narrow(self.bounds.next_threshold(self.guess), on_slice):
                return False
        return True

    @one_at_a_time
    def settle(self, threshold: int, on_slice: OnSlice | None = None) -> bool:
        """Only test whether the value is at least `threshold`. Return whether the test was completed."""
        if self.cut != self.last_cut:
            self.cut, self.bounds = self.last_cut, Bounds()
        return self.bounds.answers(threshold) or self._narrow(threshold, on_slice)

    @one_at_a_time
    def is_at_least(self, later: Position, threshold: int, on_slice: OnSlice | None = None) -> bool | None:
        """Whether the value of a position reachable from this one is at least `threshold`; None if `on_slice`
        stopped the search. The table speeds up later calls, so testing every action is cheap.
        """
        cut = None if self.last_cut is None else self.last_cut - (later.ply - self.position.ply)
        best = self._ask(later, threshold, cut, on_slice)
        return None if best is None else best >= threshold

    @one_at_a_time
    def line(self, on_slice: OnSlice | None = None) -> list[int] | None:
        """Return one line of best play to the end; None if `on_slice` stopped the search."""
        actions: list[int] = []
        position, value = self.position, self.value
        while not position.is_over and len(actions) != self.last_cut:
            threshold = value if position.to_move == self.seat else value + 1
            cut = None if self.last_cut is None else self.last_cut - len(actions)
            if self._ask(position, threshold, cut, on_slice) is None:
                return None
            actions.append(int(self.space.stack.frames["best_action"][0]))
            position = position.play_action(actions[-1])
        return actions

    def _narrow(self, threshold: int, on_slice: OnSlice | None) -> bool:
        """Test one threshold and tighten the bounds. Return False if the test was stopped."""
        best = self._ask(self.position, threshold, self.cut, on_slice)
        if best is None:
            return False
        self.bounds = self.bounds.after(threshold, best).narrowed_by(self.space.certain())
        return True

    def _widen_cut(self) -> None:
        """Raise the cut-off, and take the value so far as the first guess."""
        assert self.cut is not None and self.last_cut is not None and self.bounds.lower is not None
        self.cut = min(self.cut + CUT_STEP, self.last_cut)
        self.guess = self.bounds.lower
        self.bounds = Bounds()

    def _ask(
        self, position: Position, threshold: int, cut: int | None, on_slice: OnSlice | None
    ) -> int | None:
        """Return the proved bound that decides whether a position's value is at least the threshold."""
        self.space.put(position, threshold, NOWHERE if cut is None else cut)
        begin(*self.space.arguments())
        while self._searches_on():
            if self.space.is_full:
                self.space.deepen()
            if on_slice and not on_slice(self._progress(threshold, cut)):
                return None
        return int(self.space.stack.frames["best"][0])

    def _slice(self) -> int:
        """Return the number of positions per call; interpreted ones take a thousand times as long."""
        is_interpreted = mode() is Mode.INTERPRETED or (mode() is Mode.ADAPTIVE and not self.is_compiled())
        return max(1, SLICE // 1000) if is_interpreted else SLICE

    def _searches_on(self) -> bool:
        """Search one more slice. Return whether the search is still unfinished."""
        started = time.thread_time()
        is_open = search_on(*self.space.arguments(self._slice()))
        self.seconds += time.thread_time() - started
        return bool(is_open)

    def _progress(self, threshold: int, cut: int | None) -> Progress:
        return Progress(
            self.bounds, threshold, cut, self.space.part_done(), self.nodes, self.table.part_in_use()
        )
