"""The site's clock: the one place that says what time it is for games, deadlines and all that falls due."""

import contextlib
import time
from collections.abc import Callable, Iterator

from django.db import connection

Source = Callable[[], float]
"""Gives seconds since the epoch."""


def now() -> float:
    """Seconds since the epoch.

    With PostgreSQL it is the database's time, so that processes whose own clocks differ agree. Ask after the
    row in question is locked: who waited for the lock acts when they get it.
    """
    return _SOURCES[-1]()


@contextlib.contextmanager
def time_from(source: Source) -> Iterator[None]:
    """Have this process take the time from somewhere else, for simulations and tests."""
    _SOURCES.append(source)
    try:
        yield
    finally:
        _SOURCES.remove(source)


def _database_time() -> float:
    if connection.vendor != "postgresql":
        return time.time()
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        return float(cursor.fetchone()[0])


_SOURCES: list[Source] = [_database_time]
"""The last one counts."""
