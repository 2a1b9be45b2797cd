"""The pace of background work: it leaves time for requests, and slows down while there are none."""

import contextlib
import math
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Piece = TypeVar("Piece")

IDLE_AFTER = 60.0
"""Seconds after the last request until a process counts as idle."""
IDLE_SECONDS = 5.0
"""The shortest interval of background work in an idle process, to which nobody is connected, in seconds."""
LONGEST_PAUSE = 0.25
"""The longest pause between two pieces of work, in seconds, even if a piece took long."""


def paced(pieces: Iterable[Piece], share: float) -> Iterator[Piece]:
    """Yield pieces of work with pauses, so that they take about `share` of the time.

    A piece blocks the interpreter, and with SQLite the database, while requests may wait for them. On slower
    machines pieces take longer, and so do the pauses.
    """
    pause = 0.0
    for piece in pieces:
        time.sleep(pause)
        began = time.monotonic()
        yield piece
        pause = min((time.monotonic() - began) * (1 / share - 1), LONGEST_PAUSE)


class Traffic:
    """The requests in this process, including endless ones (event streams)."""

    def __init__(self) -> None:
        self._under_way = 0
        self._last = math.inf
        """When the last request ended; infinite while no site runs here, so that the process isn't idle."""

    @contextlib.contextmanager
    def site(self) -> Iterator[None]:
        """A context in which a site serves requests."""
        self._last = time.monotonic()
        try:
            yield
        finally:
            self._last = math.inf

    @contextlib.contextmanager
    def request(self) -> Iterator[None]:
        """A context in which a request is handled."""
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            self._last = max(self._last, time.monotonic())

    def interval(self, seconds: float) -> float:
        """The interval of background work, in seconds, given the interval for a process with visitors."""
        is_idle = not self._under_way and time.monotonic() - self._last > IDLE_AFTER
        return max(seconds, IDLE_SECONDS) if is_idle else seconds


TRAFFIC = Traffic()
"""The traffic of this process."""
