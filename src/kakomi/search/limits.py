"""The limits of a search."""

import threading
from collections.abc import Callable

SLICE_SECONDS = 0.02
"""The maximum delay, in seconds, before a search notices a stop."""


class Limits:
    """The simulations, seconds and stop event that limit one call, shared by its threads; None: no limit."""

    def __init__(
        self,
        simulations: int | None,
        seconds: float | None,
        stop: threading.Event | None,
        clock: Callable[[], float],
    ) -> None:
        self.simulations = 0
        """Simulations granted so far."""
        self._most = simulations
        self._seconds = seconds
        self._stop = stop
        self._clock = clock
        self._started = clock()
        self.slice_seconds = SLICE_SECONDS if seconds is None else min(SLICE_SECONDS, seconds / 8)
        """The target duration, in seconds, of one call of compiled code."""
        self._ended = False
        self._lock = threading.Lock()

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""
        return self._clock() - self._started

    def end(self) -> None:
        """Grant nothing more."""
        self._ended = True

    def grant(self, wanted: int) -> int:
        """Return the number of simulations to run next: at most `wanted`, 0 once a limit is reached.

        The first grant is never 0: a search runs at least one simulation.
        """
        with self._lock:
            if self.simulations > 0 and self._is_reached():
                return 0
            n = wanted if self._most is None else max(1, min(wanted, self._most - self.simulations))
            self.simulations += n
            return n

    def give_back(self, n: int) -> None:
        """Return n granted simulations that weren't run."""
        with self._lock:
            self.simulations -= n

    def _is_reached(self) -> bool:
        return (
            self._ended
            or (self._most is not None and self.simulations >= self._most)
            or (self._stop is not None and self._stop.is_set())
            or (self._seconds is not None and self.elapsed >= self._seconds)
        )
