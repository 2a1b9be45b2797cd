"""What every evaluator has: arrays for inputs and answers, and the advice that a search takes over them."""

from pathlib import Path

import numpy as np

from kakomi.core import Game
from kakomi.core.wording import truncated_repr
from kakomi.learn.layout import ON_BOARD, NetworkLayout, board_layout, network_layout, rectangle
from kakomi.search.advice import Advice


class BlankEvaluator:
    """Has an `Advice` for each of n searches of a game, and knows nothing: it answers 0 to everything.

    Those that run a network derive from it; it serves tests and measurements as it is.
    """

    def __init__(self, game: Game, n: int = 1) -> None:
        self._planes, self._scalars, self._answers = buffers(game, n)
        rows = zip(self._planes, self._scalars, self._answers, strict=True)
        self.advices = [advice_over(game, *row) for row in rows]
        """What the searches take, one each."""

    @property
    def advice(self) -> Advice:
        """That of the only search."""
        return self.advices[0]

    def evaluate(self) -> None:
        """Write the answers to all inputs; here they stay as they are."""

    def warm(self) -> bool:
        """Nothing is compiled for it."""
        return False

    def is_compiled(self) -> bool:
        """There is nothing to compile."""
        return True


def check_layout(layout: NetworkLayout, game: Game, path: Path | str) -> None:
    """Raises ValueError for a file's network that is for another game."""
    if layout != network_layout(game):
        raise ValueError(f"the network {truncated_repr(str(path))} is not for {game.name}")


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
