"""A network that compiled code runs, for a search: nothing beside NumPy and Numba is needed."""

from pathlib import Path

import numpy as np

from kakomi.core import Game
from kakomi.core.system import one_at_a_time
from kakomi.kernel.lanes import LANES
from kakomi.learn.answer_cache import CACHE_MB, answer_cache
from kakomi.learn.convolution import fields_of, grid_of
from kakomi.learn.evaluator import BlankEvaluator, check_layout
from kakomi.learn.inference import evaluate, summary_of
from kakomi.learn.layout import board_layout
from kakomi.learn.weights import load_network


class CompiledEvaluator(BlankEvaluator):
    """Evaluates positions of n searches of one game, one after the other, each with an `Advice` of its own.

    Args: `path`, a file that `kakomi.learn.weights.save_network` wrote; `game`; `n`, how many searches;
    `cache_mb`, memory for answers that need not be worked out again, 0 for none. Raises ValueError for a file
    that holds no network, or one for another game.
    """

    def __init__(self, path: Path | str, game: Game, n: int = 1, cache_mb: float = CACHE_MB) -> None:
        layout, weights = load_network(str(path))
        check_layout(layout, game, path)
        super().__init__(game, n)
        planes, scalars, answers = self._planes, self._scalars, self._answers
        board = board_layout(game)
        grid = grid_of(board.on_board, board.height, board.width)
        fields = fields_of(grid, -(-planes.shape[1] // LANES) * LANES, len(weights.stem_bias))
        flat = planes.reshape(n, planes.shape[1], board.spots)
        bits = planes.reshape(n, -1).view(np.uint32), scalars.view(np.uint32)
        cache = answer_cache(answers.shape[1], cache_mb)
        self._arguments = weights, grid, flat, scalars, answers, bits, cache, fields, summary_of(weights)

    @one_at_a_time
    def evaluate(self) -> None:
        """Write the answers to all inputs."""
        evaluate(*self._arguments)

    def warm(self) -> bool:
        """Compile without evaluating; whether that was needed."""
        return evaluate.warm(*self._arguments)

    def is_compiled(self) -> bool:
        """Whether the code is there, in memory or on disk."""
        return evaluate.is_kept(self._arguments)
