"""What patterns make of a position, by the functions that a search calls compiled."""

import numpy as np

from kakomi.core import Position
from kakomi.kernel import driver, use_mode
from kakomi.kernel.contract import legal
from kakomi.search.pattern_table import PatternTable
from kakomi.search.patterns import Patterns, expect, promise, read_patterns


def read(
    position: Position, table: PatternTable, patterns: Patterns | None = None
) -> tuple[dict[int, float], list[float]]:
    """What each action promises, by a scale of 1, and the gains that are expected."""
    game = position.game
    used = patterns or table.patterns(game)
    found = np.zeros(len(game.actions))
    listed = np.zeros(len(game.actions), np.int64)
    with use_mode("interpreted"):
        count = read_all(game.board, position.states(), game.scratch, used, found, listed)
    promised = dict(zip(listed[:count].tolist(), found[:count].tolist(), strict=True))
    return promised, used.gains.tolist()


@driver
def read_all(boards, states, scratches, patterns, found, listed):
    """Write what the legal actions are and promise; how many."""
    board, state, scratch = boards[0], states[0], scratches[0]
    count = legal(board, state, scratch)
    read_patterns(board, state, patterns)
    promise(board, state, scratch, count, patterns, 1.0, found)
    expect(board, state, patterns)
    for i in range(count):
        listed[i] = scratch.actions[i]
    return count
