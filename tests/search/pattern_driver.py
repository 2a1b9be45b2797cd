"""Evaluate patterns with the functions that a search calls compiled."""

import numpy as np

from kakomi.core import Position
from kakomi.kernel import driver, use_mode
from kakomi.kernel.contract import legal
from kakomi.search.pattern_table import PatternTable
from kakomi.search.patterns import Patterns, read_patterns, write_gains, write_priors


def read(
    position: Position, table: PatternTable, patterns: Patterns | None = None
) -> tuple[dict[int, float], list[float]]:
    """Each action's prior, with a scale of 1, and the expected gains."""
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
    """Write the legal actions and their priors, and return their number."""
    board, state, scratch = boards[0], states[0], scratches[0]
    count = legal(board, state, scratch)
    read_patterns(board, state, patterns)
    write_priors(board, state, scratch, count, patterns, 1.0, found)
    write_gains(board, state, patterns)
    for i in range(count):
        listed[i] = scratch.actions[i]
    return count
