"""Random games to the end, for statistics and benchmarks."""

import numpy as np

from kakomi.core import Game
from kakomi.core.system import one_at_a_time
from kakomi.kernel import driver, random_state
from kakomi.kernel.contract import over, play, reset, sample, scores


class Playouts:
    """Random games of one game from one seed; holds the space that they take."""

    def __init__(self, game: Game, seed: int) -> None:
        rules = game.description.rules
        self._space = (game.board, np.zeros(1, rules.STATE), np.zeros(1, rules.SCRATCH))
        self._rng = random_state(seed)
        self.final_scores = np.zeros(game.players)
        """Each player's score in the last game played."""

    @one_at_a_time
    def run(self, n: int) -> int:
        """Play n games to the rules' end; the number of plies in all."""
        return int(playouts(*self._arguments(n)))

    def is_compiled(self) -> bool:
        """Whether the code is there, in memory or on disk."""
        return playouts.is_kept(self._arguments(1))

    def _arguments(self, n: int) -> tuple[object, ...]:
        return *self._space, self._rng, self.final_scores, n, 0


@driver
def playouts(boards, states, scratches, rng, final_scores, n, most_plies):
    """Play n random games; the number of plies in all.

    `final_scores` (float64, one a player) are left those of the last game. A game is cut off after
    `most_plies` actions (0: never).
    """
    board, state, scratch = boards[0], states[0], scratches[0]
    plies = 0
    for _ in range(n):
        reset(board, state)
        ply = 0
        while not over(board, state) and (most_plies == 0 or ply < most_plies):
            play(board, state, scratch, sample(board, state, scratch, rng))
            ply += 1
        plies += ply
        scores(board, state, final_scores)
    return plies
