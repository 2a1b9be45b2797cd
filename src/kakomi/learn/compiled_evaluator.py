"""A network that compiled code runs, for a search: nothing beside NumPy and Numba is needed."""

from pathlib import Path

from kakomi.core import Game
from kakomi.core.wording import truncated_repr
from kakomi.kernel.lanes import LANES
from kakomi.learn.convolution import fields_of, grid_of
from kakomi.learn.evaluator import advice_over, buffers
from kakomi.learn.inference import evaluate, summary_of
from kakomi.learn.layout import board_layout, network_layout
from kakomi.learn.weights import load_network
from kakomi.search.advice import Advice


class CompiledEvaluator:
    """Evaluates positions of n searches of one game, one after the other, each with an `Advice` of its own.

    Args: `path`, a file that `kakomi.learn.weights.save_network` wrote; `game`; `n`, how many searches.
    Raises ValueError for a file that holds no network, or one for another game.
    """

    def __init__(self, path: Path | str, game: Game, n: int = 1) -> None:
        layout, weights = load_network(str(path))
        if layout != network_layout(game):
            raise ValueError(f"the network {truncated_repr(str(path))} is not for {game!r}")
        planes, scalars, answers = buffers(game, n)
        rows = zip(planes, scalars, answers, strict=True)
        self.advices = [advice_over(game, *row) for row in rows]
        """What the searches take, one each."""
        board = board_layout(game)
        grid = grid_of(board.on_board, board.height, board.width)
        fields = fields_of(grid, -(-planes.shape[1] // LANES) * LANES, len(weights.stem_bias))
        flat = planes.reshape(n, planes.shape[1], board.spots)
        self._arguments = weights, grid, flat, scalars, answers, fields, summary_of(weights)

    @property
    def advice(self) -> Advice:
        """That of the only search."""
        return self.advices[0]

    def evaluate(self) -> None:
        """Write the answers to all inputs."""
        evaluate(*self._arguments)

    def warm(self) -> bool:
        """Compile without evaluating; whether that was needed."""
        return evaluate.warm(*self._arguments)

    def is_compiled(self) -> bool:
        """Whether the code is there, in memory or on disk."""
        return evaluate.is_kept(self._arguments)
