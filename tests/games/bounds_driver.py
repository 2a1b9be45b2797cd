"""What a game tells a solver, as drivers hear it."""

from kakomi.kernel import driver, use_mode
from kakomi.kernel.contract import bound_scores, standing


def say(*arguments):
    """What the game tells a solver of a position: board, states, and what is filled in."""
    with use_mode("interpreted"):
        _say(*arguments)


@driver
def _say(boards, states, least, most, stands):
    bound_scores(boards[0], states[0], least, most)
    standing(boards[0], states[0], stands)
