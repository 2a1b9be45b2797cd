"""What every evaluator has: arrays for inputs and answers, and the advice that a search takes over them."""

import numpy as np

from kakomi.core import Game
from kakomi.learn.layout import ON_BOARD, board_layout, network_layout, rectangle
from kakomi.search.advice import Advice


class BlankEvaluator:
    """A network that knows nothing: it answers 0 to everything. For tests and measurements."""

    def __init__(self, game: Game) -> None:
        self.advice = advice_over(game, *(array[0] for array in buffers(game, 1)))

    def evaluate(self) -> None:
        """Leave the answer as it is."""

    def warm(self) -> bool:
        """Nothing is compiled for it."""
        return False

    def is_compiled(self) -> bool:
        """There is nothing to compile."""
        return True


def buffers(game: Game, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Planes, scalars and answers for n positions of a game, all 0."""
    layout, (height, width) = network_layout(game), rectangle(game)
    return (
        np.zeros((n, len(layout.channels), height, width), np.float32),
        np.zeros((n, len(layout.scalars)), np.float32),
        np.zeros((n, layout.answer_length(height * width)), np.float32),
    )


def advice_over(game: Game, planes: np.ndarray, scalars: np.ndarray, answer: np.ndarray) -> Advice:
    """The advice of a network whose inputs and answer, for one position, lie in these rows of `buffers`."""
    layout, board = network_layout(game), board_layout(game)
    flat = planes.reshape(len(layout.channels), board.spots)
    flat[ON_BOARD] = board.on_board
    first = len(answer) - 2 * layout.seats
    return Advice(
        pause=np.zeros(3, np.int64),
        sight=board.sight,
        planes=flat,
        scalars=scalars,
        answer=answer,
        entries=board.entries,
        weights=board.weights,
        value=answer[first : first + layout.seats],
        leads=answer[first + layout.seats :],
        gains=np.zeros(game.players),
    )
