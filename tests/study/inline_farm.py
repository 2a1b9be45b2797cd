"""A farm that does its pieces here, one after the other: to test a study needs no process."""

from collections.abc import Generator, Iterable
from typing import Any

from kakomi.farm import Farm, Piece


class InlineFarm(Farm):
    """Does pieces when their results are asked for."""

    def __init__(self) -> None:
        self.done: list[str] = []
        """The names of pieces, in the order in which they were begun."""

    def close(self) -> None:
        pass

    def run(self, pieces: Iterable[Piece[Any]]) -> Generator[tuple[Piece[Any], Any]]:
        for piece in pieces:
            self.done.append(piece.name)
            drawn = {} if piece.seed is None else {"seed": piece.seed}
            yield piece, piece.function(*piece.arguments, **drawn)
