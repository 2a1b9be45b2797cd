"""The solver: asks the search one threshold after the other until the value is known."""

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
"""Positions looked at before the compiled search comes back, some hundredths of a second."""
FIRST_CUT = 8
"""The first cut-off, in plies, of a game that may go on for ever."""


@dataclass(frozen=True)
class Progress:
    """A solver's progress."""

    bounds: Bounds
    threshold: int
    """The question is whether the value is at least this."""
    cut: int | None
    """After how many plies from the position on the game is cut off in this question; None: never."""
    part: float
    """The part of the first two levels that is done, from 0 to 1."""
    nodes: int
    """Positions looked at so far."""
    table_full: float
    """Part of the table's places in use, from 0 to 1, as last counted."""


OnSlice = Callable[[Progress], bool]
"""Called every few hundredths of a second; whether to go on."""


class Solver:
    """Finds a position's exact value for one seat against all others together.

    The value is the margin at the end: the seat's score less the best other one's. Where the rules set a
    game no end it is cut off and counted (RULES N12); shorter cuts are solved first, which costs
    little as the table keeps positions by the plies that are left, and orders actions for the longer ones.

    Raises ValueError if the game is over, if there is no such seat, and for a game that can't be solved, such
    as one of chance. Each of its calls raises RuntimeError amid another one.
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
        """Of one core that the search has taken."""
        self.table = Table(memory_mb)
        self.space = Space(game, seat, self.last_cut, self.table)

    @property
    def nodes(self) -> int:
        """Positions looked at so far."""
        return int(self.space.walk["nodes"])

    @property
    def is_done(self) -> bool:
        """Whether the value is known, with the last cut."""
        return self.bounds.is_exact and self.cut == self.last_cut

    @property
    def value(self) -> int:
        """The margin under best play. Raises ValueError while it isn't known."""
        if not self.is_done or self.bounds.lower is None:
            raise ValueError("the value isn't known yet")
        return self.bounds.lower

    @property
    def collision_odds(self) -> float:
        """An upper bound on the chance that two positions were taken for one; 0 where keys are exact."""
        return self.space.keys.collision_odds(int(self.space.walk["looked_up"]), len(self.table.entries))

    def warm(self) -> None:
        """Compile what a search needs, unless that is done."""
        begin.warm(*self.space.arguments())
        search_on.warm(*self.space.arguments())

    def is_compiled(self) -> bool:
        """Whether it need not be compiled for this game."""
        load_compiler()
        return search_on.is_kept(self.space.arguments())

    @one_at_a_time
    def run(self, on_slice: OnSlice | None = None) -> bool:
        """Search until the value is known, or `on_slice` says to stop; whether it is known."""
        while not self.is_done:
            if self.bounds.is_exact:
                self._widen_cut()
            if not self._narrow(self.bounds.next_threshold(self.guess), on_slice):
                return False
        return True

    @one_at_a_time
    def settle(self, threshold: int, on_slice: OnSlice | None = None) -> bool:
        """Find out only whether the value is at least this; whether that is known."""
        if self.cut != self.last_cut:
            self.cut, self.bounds = self.last_cut, Bounds()
        return self.bounds.answers(threshold) or self._narrow(threshold, on_slice)

    @one_at_a_time
    def is_at_least(self, later: Position, threshold: int, on_slice: OnSlice | None = None) -> bool | None:
        """Whether the value of a position that play comes to from here is at least this; None if `on_slice`
        stopped the search. What was found of other positions helps, so all actions can be asked about.
        """
        cut = None if self.last_cut is None else self.last_cut - (later.ply - self.position.ply)
        best = self._ask(later, threshold, cut, on_slice)
        return None if best is None else best >= threshold

    @one_at_a_time
    def line(self, on_slice: OnSlice | None = None) -> list[int] | None:
        """The actions of one line of best play to the end; None if `on_slice` stopped it."""
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
        """Ask one question and keep what its answer says of the bounds; whether there was an answer."""
        best = self._ask(self.position, threshold, self.cut, on_slice)
        if best is None:
            return False
        self.bounds = self.bounds.after(threshold, best).met_by(self.space.certain())
        return True

    def _widen_cut(self) -> None:
        """Let the game go on for longer, and expect the same value."""
        assert self.cut is not None and self.last_cut is not None and self.bounds.lower is not None
        self.cut = min(self.cut + CUT_STEP, self.last_cut)
        self.guess = self.bounds.lower
        self.bounds = Bounds()

    def _ask(
        self, position: Position, threshold: int, cut: int | None, on_slice: OnSlice | None
    ) -> int | None:
        """The bound that answers whether a position's value is at least the threshold."""
        self.space.put(position, threshold, NOWHERE if cut is None else cut)
        begin(*self.space.arguments())
        while self._searches_on():
            if self.space.is_full:
                self.space.deepen()
            if on_slice and not on_slice(self._progress(threshold, cut)):
                return None
        return int(self.space.stack.frames["best"][0])

    def _slice(self) -> int:
        """How many positions to look at in one call; interpreted ones take a thousand times as long."""
        interpreted = mode() is Mode.ADAPTIVE and not self.is_compiled()
        return max(1, SLICE // 1000) if interpreted else SLICE

    def _searches_on(self) -> bool:
        """Search a slice further; whether the question is still open."""
        started = time.thread_time()
        is_open = search_on(*self.space.arguments(self._slice()))
        self.seconds += time.thread_time() - started
        return bool(is_open)

    def _progress(self, threshold: int, cut: int | None) -> Progress:
        return Progress(
            self.bounds, threshold, cut, self.space.part_done(), self.nodes, self.table.part_in_use()
        )
