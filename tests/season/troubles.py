"""Failures in a season: the database or Redis is briefly unavailable, or the database for hours.

PostgreSQL and Redis are reached by proxies that can refuse, cut and stall connections. SQLite is always
available, but its disk may be full, which is simulated by limiting the size of the processes' files.
"""

import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from season.crew import Crew
from server.proxy import Proxy

LATE_SECONDS = 5.0
"""The time after a failure during which processes may still report it."""
LONGEST_BLIP = 0.6
"""The longest brief failure, in seconds of real time."""
CUTS = 5
"""The number of times that connections are cut in one brief failure."""


class Troubles:
    """The failures of everything that a crew depends on."""

    def __init__(self, crew: Crew, database: Proxy | None, redis: Proxy | None) -> None:
        """Without a database proxy, the database is SQLite."""
        self._crew, self._database = crew, database
        self._blips: dict[str, Callable[[random.Random], None]] = {}
        if database:
            self._blips |= _blips("database", database)
        else:
            self._blips["disk full"] = self._fill_disk
        if redis:
            self._blips |= _blips("redis", redis)
        self._open = 0
        self._ended = -LATE_SECONDS

    @property
    def names(self) -> Sequence[str]:
        """The kinds of brief failures."""
        return tuple(self._blips)

    def is_expected(self) -> bool:
        """Whether a process may report now that the database is unavailable."""
        return bool(self._open) or time.monotonic() - self._ended < LATE_SECONDS

    @contextlib.contextmanager
    def blip(self, name: str, chance: random.Random) -> Iterator[None]:
        """Cause a brief failure during the context."""
        with self._noted():
            running = threading.Thread(target=self._blips[name], args=(chance,))
            running.start()
            try:
                yield
            finally:
                running.join()

    @contextlib.contextmanager
    def absence(self) -> Iterator[None]:
        """Make the database unavailable during the context."""
        with self._noted(), self._database.away() if self._database else self._full():
            yield

    @contextlib.contextmanager
    def _noted(self) -> Iterator[None]:
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
            self._ended = time.monotonic()

    def _fill_disk(self, chance: random.Random) -> None:
        time.sleep(chance.uniform(0, 0.1))
        with self._full():
            time.sleep(chance.uniform(0, LONGEST_BLIP))

    @contextlib.contextmanager
    def _full(self) -> Iterator[None]:
        self._crew.limit_files(1)
        try:
            yield
        finally:
            self._crew.limit_files(-1)


def _blips(what: str, proxy: Proxy) -> dict[str, Callable[[random.Random], None]]:
    def refuse(chance: random.Random) -> None:
        time.sleep(chance.uniform(0, 0.1))
        with proxy.away():
            time.sleep(chance.uniform(0, LONGEST_BLIP))

    def cut(chance: random.Random) -> None:
        for _ in range(CUTS):
            time.sleep(chance.uniform(0, 0.05))
            proxy.cut()

    def fall_silent(chance: random.Random) -> None:
        time.sleep(chance.uniform(0, 0.1))
        with proxy.silent():
            time.sleep(chance.uniform(0, LONGEST_BLIP))
        proxy.cut()

    return {f"{what} refuses": refuse, f"{what} cuts": cut, f"{what} is silent": fall_silent}
