"""The pace of background work: it leaves time to visitors, and rests while there are none."""

import contextlib
import math
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Piece = TypeVar("Piece")

IDLE_AFTER = 60.0
"""Seconds after the last request until a process counts as idle."""
IDLE_SECONDS = 5.0
"""The shortest interval of an idle process's background work. Nobody who would notice is connected to it."""
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


class Traffic:
    """The requests that this process answers, those without end (streams of news) included."""

    def __init__(self) -> None:
        self._under_way = 0
        self._last = math.inf
        """When the last one ended; it is never long ago while no site runs here."""

    @contextlib.contextmanager
    def site(self) -> Iterator[None]:
        """A block in which a site serves."""
        self._last = time.monotonic()
        try:
            yield
        finally:
            self._last = math.inf

    @contextlib.contextmanager
    def request(self) -> Iterator[None]:
        """A block that answers one."""
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            self._last = max(self._last, time.monotonic())

    def interval(self, seconds: float) -> float:
        """The interval of background work, in seconds, given that of a process with visitors."""
        is_idle = not self._under_way and time.monotonic() - self._last > IDLE_AFTER
        return max(seconds, IDLE_SECONDS) if is_idle else seconds


TRAFFIC = Traffic()
"""This process's."""
