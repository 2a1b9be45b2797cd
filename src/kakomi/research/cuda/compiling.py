"""A game's rules as a GPU's instructions, without a GPU."""

import numpy as np

from kakomi.core import Game
from kakomi.kernel.cuda import CAPABILITY
from kakomi.research.buffers import random_states
from kakomi.research.cuda import threads
from kakomi.research.cuda.memory import EnvMemory, of_play_out
from kakomi.research.modes import Autoreset


def ptx(game: Game, capability: tuple[int, int] = CAPABILITY) -> dict[str, str]:
    """The PTX of everything that a GPU does for a game, by the names of the functions in `threads`.

    Needs no GPU, so authors of games can see whether their rules would compile. `capability` is the compute
    capability to write for. Raises TypeError, with the name of the game's rules, if they don't compile.
    """
    memory = EnvMemory(game, 1, Autoreset.SAME_STEP, np.asarray)
    rngs, chosen, actions = random_states(0, 1), np.ones(1, np.bool_), np.zeros(1, np.int64)
    calls = {
        threads.begin: memory.of_begin(chosen),
        threads.look_for_illegal: memory.of_look_for_illegal(actions),
        threads.step: memory.of_step(actions),
        threads.sample: memory.of_sample(rngs),
        threads.play_out: of_play_out(game, 1, rngs, np.asarray),
    }
    return {
        function.name: function.ptx(*arguments, capability=capability)
        for function, arguments in calls.items()
    }
