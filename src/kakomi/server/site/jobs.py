"""Finds out whether periodic jobs have anything to do, with one cheap query for all that are due.

Most of the time there is nothing to do. So a job declares the rows on which it works, by indexed columns, and
is only run while there are any. The SQL is generated once.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from django.db import connection
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from kakomi.server.site import clock
from kakomi.server.site.database import outside_requests

Job = Callable[[], None]
Rows: TypeAlias = "Callable[[float], QuerySet[Any, Any]]"
"""Returns the rows on which a job works at a time, in seconds since the epoch. Parameters that depend on the
time must be the time plus or minus a constant."""


def has_work_in(*rows: Rows) -> Callable[[Job], Job]:
    """Declare the rows on which a job works; it isn't run while there are none."""

    def named(job: Job) -> Job:
        _WORKS[job] = tuple(map(Work, rows))
        return job

    return named


@outside_requests
def jobs_with_work(names: Sequence[str]) -> list[str]:
    """Those of the jobs, by dotted name, that have something to do now or don't declare their rows."""
    asked = {name: _WORKS.get(import_string(name), ()) for name in names}
    answers = iter(_run_checks([work for works in asked.values() for work in works], clock.now()))
    return [name for name, works in asked.items() if not works or sum(next(answers) for _ in works)]


class Work:
    """The rows on which a job works, with a check for any whose SQL is generated only once."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def is_there(self, now: float) -> bool:
        """Whether there are any rows at a time."""
        return _run_checks([self], now)[0]

    @property
    def sql(self) -> str:
        """An expression for a SELECT."""
        return f"EXISTS ({self._prepared[0]})"

    def values(self, now: float) -> list[Any]:
        """The parameters of the expression."""
        return [value + now if is_moment else value for value, is_moment in self._prepared[1]]

    @cached_property
    def _prepared(self) -> tuple[str, list[tuple[Any, bool]]]:
        """The SQL with its parameters at time 0, and whether each depends on the time."""
        (sql, first), (_, second) = self._query_at(0.0), self._query_at(1.0)
        return sql, [(value, value != other) for value, other in zip(first, second, strict=True)]

    def _query_at(self, now: float) -> tuple[str, tuple[Any, ...]]:
        query = self._rows(now).order_by().values("pk")[:1].query
        sql, values = query.sql_with_params()
        return sql, values


_WORKS: dict[Job, tuple[Work, ...]] = {}


def _run_checks(works: Sequence[Work], now: float) -> Sequence[bool]:
    """Whether there are rows for each, found with one statement."""
    if not works:
        return ()
    values = [value for work in works for value in work.values(now)]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(work.sql for work in works)}", values)
        return tuple(map(bool, cursor.fetchone()))
