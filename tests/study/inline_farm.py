"""A farm that executes its tasks in this process, in order, for tests of studies."""

from collections.abc import Generator, Iterable
from typing import Any

from kakomi.farm import Farm, Piece


class InlineFarm(Farm):
    """Executes tasks when their results are requested."""

    def __init__(self) -> None:
        self.done: list[str] = []
        """The names of tasks, in the order of starting."""

    def close(self) -> None:
        pass

    def run(self, pieces: Iterable[Piece[Any]]) -> Generator[tuple[Piece[Any], Any]]:
        for piece in pieces:
            self.done.append(piece.name)
            drawn = {} if piece.seed is None else {"seed": piece.seed}
            yield piece, piece.function(*piece.arguments, **drawn)
