"""A game's bounds for a solver, called through a driver."""

from kakomi.kernel import driver, use_mode
from kakomi.kernel.contract import bound_scores, standing


def say(*arguments):
    """Write the game's bounds for a position; the arguments are the board, the states, and output arrays."""
    with use_mode("interpreted"):
        _say(*arguments)


@driver
def _say(boards, states, least, most, stands):
    bound_scores(boards[0], states[0], least, most)
    standing(boards[0], states[0], stands)
