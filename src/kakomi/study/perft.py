"""Perft: the number of action sequences of a given length, a standard check of a game's rules."""

from collections.abc import Callable

import numpy as np

from kakomi.core import Position
from kakomi.study.perft_kernel import WALK, begin_walk, walk_on

SLICE_NODES = 200_000
"""Actions played before the compiled loop returns, so that it can be interrupted and report progress."""


def perft(position: Position, depth: int, *, on_slice: Callable[[float, int], None] | None = None) -> int:
    """The number of sequences of exactly `depth` actions from a position.

    Sequences that end the game earlier don't count. `on_slice(fraction done, count so far)` is called every
    few hundredths of a second. Raises ValueError if `depth` is negative.
    """
    if depth < 0:
        raise ValueError(f"a depth of {depth} isn't possible: it is 0 or more")
    if depth == 0:
        return 1
    walk = _Walk(position, depth)
    while walk.goes_on():
        if on_slice:
            on_slice(walk.part_done(), walk.count)
    return walk.count


class _Walk:
    """A resumable depth-first walk over all sequences, with its stack in arrays."""

    def __init__(self, position: Position, depth: int) -> None:
        game, rules = position.game, position.game.description.rules
        self._boards = game.board
        self._states = np.repeat(position.states(), depth)
        self._scratches = np.zeros(1, rules.SCRATCH)
        self._actions = np.zeros((depth, len(game.actions)), np.int32)
        self._widths = np.zeros(depth, np.int64)
        self._places = np.zeros(depth, np.int64)
        self._walks = np.zeros(1, WALK)
        begin_walk(self._boards, self._states, self._scratches, self._actions, self._widths)

    @property
    def count(self) -> int:
        """Sequences counted so far."""
        return int(self._walks["count"][0])

    def goes_on(self) -> bool:
        """Walk one slice further, and return whether anything is left."""
        walked = (self._boards, self._states, self._scratches, self._actions, self._widths, self._places)
        return bool(walk_on(*walked, self._walks, SLICE_NODES))

    def part_done(self) -> float:
        """The fraction of the first two levels walked so far, from 0 to 1."""
        done, share = 0.0, 1.0
        for width, place in zip(self._widths[:2], self._places[:2], strict=True):
            share /= max(1, width)
            done += share * max(0, place - 1)
        return done
