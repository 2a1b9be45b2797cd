"""The site's clock: the single source of the time for games, deadlines and jobs."""

import contextlib
import time
from collections.abc import Callable, Iterator

from django.db import connection

Source = Callable[[], float]
"""Returns seconds since the epoch."""


def now() -> float:
    """The current time in seconds since the epoch.

    With PostgreSQL this is the database's time, so that processes on machines with different clocks agree.
    Call this after locking the row concerned, as actions count from when they get the lock.
    """
    return _SOURCES[-1]()


@contextlib.contextmanager
def time_from(source: Source) -> Iterator[None]:
    """Use another source of the time in this process, for simulations and tests."""
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
"""A stack, of which the last source is used."""
