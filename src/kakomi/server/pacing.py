"""Work that can wait a little leaves time to people, who can't."""

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Piece = TypeVar("Piece")

LONGEST_PAUSE = 0.25
"""Seconds: a piece that took long for another reason holds the rest up no longer."""


def paced(pieces: Iterable[Piece], share: float) -> Iterator[Piece]:
    """Pieces of work, one after the other: whoever does them takes about this share of the time.

    A piece holds the interpreter, and with SQLite the database, while somebody may wait for them. Where both
    are slow, it is slower too.
    """
    pause = 0.0
    for piece in pieces:
        time.sleep(pause)
        began = time.monotonic()
        yield piece
        pause = min((time.monotonic() - began) * (1 / share - 1), LONGEST_PAUSE)
