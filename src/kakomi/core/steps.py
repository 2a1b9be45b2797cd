"""Drivers that make, change and read states, for positions."""

from kakomi.kernel import driver
from kakomi.kernel.contract import is_legal, legal, over, play, reset, restore, scores

ILLEGAL = -1
"""The result of `advance` for an illegal action; nothing is changed."""
OVER = 256
"""Added to the player to act in the status of a finished game."""


def status_of(board, state):
    """The status of a state: the player to act, plus `OVER` if the game has ended."""
    if over(board, state):
        return int(state.to_move) + OVER
    return int(state.to_move)


@driver
def begin(boards, states):
    """Write the starting state; return its status."""
    reset(boards[0], states[0])
    return status_of(boards[0], states[0])


@driver
def rebuild(boards, states, scratches):
    """Complete a state of which only the identity fields are filled in; return its status."""
    restore(boards[0], states[0], scratches[0])
    return status_of(boards[0], states[0])


@driver
def advance(boards, states, successors, scratches, action):
    """Make `successors[0]` the state after a legal action; return its status, or `ILLEGAL`.

    Compiled code copies the state as one block of memory; NumPy would copy it field by field.
    """
    board, state, scratch = boards[0], states[0], scratches[0]
    if action < 0 or action >= board.actions or over(board, state):
        return ILLEGAL
    if not is_legal(board, state, scratch, action):
        return ILLEGAL
    successors[0] = states[0]
    play(board, successors[0], scratch, action)
    return status_of(board, successors[0])


@driver
def list_legal(boards, states, scratches):
    """Write the legal actions into the scratch space; return their number, 0 when the game is over."""
    if over(boards[0], states[0]):
        return 0
    return legal(boards[0], states[0], scratches[0])


@driver
def count_scores(boards, states, out):
    """Write the players' scores into `out`."""
    scores(boards[0], states[0], out)
