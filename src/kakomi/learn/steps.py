"""The compiled steps of learning."""

from kakomi.kernel import long_driver
from kakomi.search.sight import write_inputs


@long_driver()
def show_all(boards, states, sight, planes, scalars):
    """Write what the player to act sees of each of n states.

    `states` is the game's STATE [n], `planes` float32 [n, channels, spots], `scalars` float32 [n, scalars].
    """
    for i in range(len(states)):
        write_inputs(boards[0], states[i], sight, planes[i], scalars[i])
