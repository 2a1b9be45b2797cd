"""The arrays that the compiled search works on."""

import numpy as np

from kakomi.core import Game, Position
from kakomi.core.steps import rebuild
from kakomi.solve.bounds import Bounds
from kakomi.solve.keys import Keys
from kakomi.solve.model import model_of
from kakomi.solve.search import FINISHED, FRAME, WALK, Rules, Stack, Words
from kakomi.solve.table import UNBOUNDED, Table

LEVELS = 64
"""The initial number of stack levels."""


class Space:
    """The search's stack, words and table for one game, seat and cut-off."""

    def __init__(self, game: Game, seat: int, most_plies: int | None, table: Table) -> None:
        self.game, self.table = game, table
        self.model = model_of(game)
        self.keys = Keys(self.model, most_plies)
        self.rules = Rules(game.board, np.zeros(1, game.description.rules.SCRATCH))
        self.maps = self.keys.action_maps()
        keys = self.keys
        self.words = Words(keys.point_words, keys.parts, keys.number_words, keys.left_words, self.maps)
        self.numbers = np.zeros(max(1, len(self.model.numbers)), np.int64)
        self.walks = np.zeros(1, WALK)
        self.history = np.zeros((game.players, len(game.actions)), np.int64)
        self.stack = self._stack(LEVELS)
        self.walk["level"] = FINISHED
        self.walk["seat"] = seat

    def _stack(self, levels: int) -> Stack:
        actions = (levels, len(self.game.actions))
        return Stack(
            np.zeros(levels, self.model.rules.STATE),
            np.zeros(levels, FRAME),
            np.zeros((levels, self.game.geometry.points), np.int8),
            np.zeros(actions, np.int32),
            np.zeros(actions, np.int64),
        )

    def deepen(self) -> None:
        """Double the number of stack levels."""
        levels = len(self.stack.states)
        deeper = self._stack(2 * levels)
        for array, longer in zip(self.stack, deeper, strict=True):
            longer[:levels] = array
        self.stack = deeper

    def arguments(self, budget: int = 0) -> tuple[object, ...]:
        """Return the arguments of the compiled functions."""
        known = (self.table.entries, self.history, self.numbers)
        return (self.rules, self.words, self.stack, *known, self.walks, budget)

    @property
    def walk(self) -> np.void:
        """The state of the search."""
        record: np.void = self.walks[0]
        return record

    @property
    def is_full(self) -> bool:
        """Whether the search has paused because the stack is full."""
        return bool(self.walk["level"] + 1 >= len(self.stack.states))

    def certain(self) -> Bounds:
        """Return the bounds on the root's value that the rules guarantee before any search."""
        lower, upper = int(self.walk["certain_lower"]), int(self.walk["certain_upper"])
        return Bounds(None if lower <= -UNBOUNDED else lower, None if upper >= UNBOUNDED else upper)

    def part_done(self) -> float:
        """Return the searched fraction of the first two levels, from 0 to 1."""
        done, share = 0.0, 1.0
        for frame in self.stack.frames[: min(2, int(self.walk["level"]))]:
            share /= max(1, int(frame["width"]))
            done += share * max(0, int(frame["place"]) - 1)
        return done

    def put(self, position: Position, threshold: int, most_plies: int) -> None:
        """Put a position on the stack's first level and set the threshold to test and the cut-off after
        `most_plies` (`NOWHERE`: none)."""
        self.walk["threshold"], self.walk["most_plies"] = threshold, most_plies
        states = self.model.adopt(position)
        rebuild(self.game.board, states, self.rules.scratches)
        self.stack.states[0] = states[0]
