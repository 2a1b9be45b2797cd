"""What a game tells a solver, as compiled code hears it."""

from kakomi.kernel import driver
from kakomi.kernel.contract import bound_scores, standing


@driver
def say(boards, states, least, most, stands):
    """What the game tells a solver."""
    bound_scores(boards[0], states[0], least, most)
    standing(boards[0], states[0], stands)
