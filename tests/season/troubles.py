"""What is away in a season, and when: the database and Redis for a moment, or the database for hours.

PostgreSQL and Redis are reached by proxies that refuse, cut and fall silent. SQLite is never away, but its
disk may be full: then no file of a process may become larger.
"""

import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from season.crew import Crew
from server.proxy import Proxy

LATE_SECONDS = 5.0
"""So long after a trouble somebody may still tell of it."""
LONGEST_BLIP = 0.6
"""Seconds of real time."""
CUTS = 5
"""How often connections are cut in one blip."""


class Troubles:
    """Everything that can be away from a crew."""

    def __init__(self, crew: Crew, database: Proxy | None, redis: Proxy | None) -> None:
        """Without a proxy of the database it is SQLite."""
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
        """The kinds of blips."""
        return tuple(self._blips)

    def is_expected(self) -> bool:
        """Whether somebody may be told now that the database is away."""
        return bool(self._open) or time.monotonic() - self._ended < LATE_SECONDS

    @contextlib.contextmanager
    def blip(self, name: str, chance: random.Random) -> Iterator[None]:
        """Something is away for a moment, beside what is done inside."""
        with self._noted():
            running = threading.Thread(target=self._blips[name], args=(chance,))
            running.start()
            try:
                yield
            finally:
                running.join()

    @contextlib.contextmanager
    def absence(self) -> Iterator[None]:
        """The database is away, until the end of what is done inside."""
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
