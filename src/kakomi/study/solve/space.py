"""The arrays that the compiled search works on."""

import numpy as np

from kakomi.core import Game, Position
from kakomi.core.solving import Solving, plain_solving
from kakomi.core.steps import rebuild
from kakomi.kernel import register
from kakomi.study.solve.bounds import Bounds
from kakomi.study.solve.keys import Keys
from kakomi.study.solve.search import FINISHED, FRAME, NOWHERE, WALK, lead_of
from kakomi.study.solve.table import Table

LEVELS = 64
"""Levels of the stack to begin with; it grows."""


def solving_of(game: Game) -> Solving:
    """What the game's `solving.py` says, or what is true of any game."""
    described = game.description.companion("solving")
    if described is None:
        return plain_solving(game)
    solving: Solving = described.solving(game)
    return solving


class Space:
    """The search's stack and table for one game, seat and number of actions until a game is cut off."""

    def __init__(self, game: Game, seat: int, most_plies: int | None, table: Table) -> None:
        self.game, self.table = game, table
        self.solving = solving_of(game)
        register(self.solving.rules)
        self.keys = Keys(game, self.solving, most_plies)
        self.scratches = np.zeros(1, self.solving.rules.SCRATCH)
        self.walks = np.zeros(1, WALK)
        self.history = np.zeros((game.players, len(game.actions)), np.int64)
        self.maps = self.keys.action_maps()
        self._make_levels(LEVELS)
        walk = self.walks[0]
        walk["level"] = FINISHED
        walk["seat"] = seat
        walk["pieces_at"] = self._byte_of(self.solving.pieces)
        walk["least_at"] = self._byte_of(self.solving.least)
        walk["most_at"] = self._byte_of(self.solving.most)
        walk["standing_at"] = self._byte_of(self.solving.standing)

    def _byte_of(self, field: str) -> int:
        """Where a field of the state begins, or NOWHERE."""
        return int(self.solving.rules.STATE.fields[field][1]) if field else NOWHERE

    def _make_levels(self, levels: int) -> None:
        state = self.solving.rules.STATE
        self.states = np.zeros(levels, state)
        self.octets = self.states.view(np.uint8).reshape(levels, state.itemsize)
        self.frames = np.zeros(levels, FRAME)
        self.actions = np.zeros((levels, len(self.game.actions)), np.int32)
        self.orders = np.zeros((levels, len(self.game.actions)), np.int64)

    def deepen(self) -> None:
        """Make room for twice as many levels."""
        states, frames, actions, orders = self.states, self.frames, self.actions, self.orders
        levels = len(states)
        self._make_levels(2 * levels)
        self.states[:levels] = states
        self.frames[:levels] = frames
        self.actions[:levels] = actions
        self.orders[:levels] = orders

    def arguments(self, budget: int = 0) -> tuple[object, ...]:
        """What the compiled functions take."""
        keys = self.keys
        numbers = (keys.number_places, keys.number_masks, keys.number_words, keys.left_words)
        stack = (self.frames, self.actions, self.orders, self.history, self.walks)
        space = (self.game.board, self.states, self.octets, self.scratches)
        return (*space, keys.words, *numbers, self.maps, self.table.entries, *stack, budget)

    @property
    def walk(self) -> np.void:
        """Where the search is."""
        record: np.void = self.walks[0]
        return record

    @property
    def is_full(self) -> bool:
        """Whether the search waits for a deeper level."""
        return bool(self.walk["level"] + 1 >= len(self.states))

    def certain(self) -> Bounds:
        """What is certain of the first position's value before any search."""
        walk = self.walks.view(np.recarray)[0]
        if walk.least_at == NOWHERE:
            return Bounds()
        lower, upper = (
            lead_of(self.octets, 0, walk, own, others, self.game.players)
            for own, others in ((walk.least_at, walk.most_at), (walk.most_at, walk.least_at))
        )
        return Bounds(int(lower), int(upper))

    def part_done(self) -> float:
        """How much of the first two levels has been searched, from 0 to 1."""
        done, share = 0.0, 1.0
        for frame in self.frames[: min(2, int(self.walk["level"]))]:
            share /= max(1, int(frame["width"]))
            done += share * max(0, int(frame["place"]) - 1)
        return done

    def put(self, position: Position, threshold: int, most_plies: int) -> None:
        """Make a position the stack's first, to be asked whether its value is at least the threshold if
        play is cut off after `most_plies` (`NOWHERE`: never)."""
        self.walk["threshold"], self.walk["most_plies"] = threshold, most_plies
        states = self.solving.adopt(position) if self.solving.adopt else self._copied(position)
        rebuild(self.game.board, states, self.scratches)
        self.states[0] = states[0]

    def _copied(self, position: Position) -> np.ndarray:
        states = np.zeros(1, self.solving.rules.STATE)
        origin = position.states()
        for name in origin.dtype.names or ():
            states[name] = origin[name]
        return states
