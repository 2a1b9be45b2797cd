"""The compiled walk over all sequences of actions that `perft` counts."""

import numpy as np

from kakomi.kernel import driver
from kakomi.kernel.contract import legal, over, play

WALK = np.dtype([("level", np.int64), ("count", np.int64)], align=True)


@driver
def begin_walk(boards, states, scratches, actions, widths):
    """List the actions of the first position."""
    widths[0] = list_actions(boards[0], states[0], scratches[0], actions[0])


@driver
def walk_on(boards, states, scratches, actions, widths, places, walks, budget):
    """Play at most `budget` actions of the walk, and return whether anything is left.

    Level k holds the position after k actions, its legal actions, their number, and the index of the next.
    Actions of the last level are only counted, never played.
    """
    board, scratch, walk = boards[0], scratches[0], walks[0]
    last = len(widths) - 1
    while True:
        level = walk.level
        if level == last:
            walk.count += widths[level]
            places[level] = widths[level]
        if places[level] == widths[level]:
            if level == 0:
                return False
            walk.level -= 1
            continue
        if budget == 0:
            return True
        budget -= 1
        states[level + 1] = states[level]
        play(board, states[level + 1], scratch, actions[level, places[level]])
        places[level] += 1
        widths[level + 1] = list_actions(board, states[level + 1], scratch, actions[level + 1])
        places[level + 1] = 0
        walk.level += 1


def list_actions(board, state, scratch, into):
    """Copy the legal actions out of the scratch space and return their number, 0 if the game is over."""
    if over(board, state):
        return 0
    n = legal(board, state, scratch)
    for i in range(n):
        into[i] = scratch.actions[i]
    return n
