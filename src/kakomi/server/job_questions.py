"""Whether periodic jobs have anything to do: one cheap question to the database, for all whose turn it is.

Most of the time there is nothing to do. So a job names the rows on which it works, by columns that have an
index, and is begun only when there are some. Their SQL is made once.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from django.db import connection
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from kakomi.server import clock
from kakomi.server.database import outside_requests

Job = Callable[[], None]
Rows: TypeAlias = "Callable[[float], QuerySet[Any, Any]]"
"""The rows on which a job works at a moment, in seconds since the epoch. Values that depend on it are the
moment itself, or so many seconds before or after it."""


def works_on(*rows: Rows) -> Callable[[Job], Job]:
    """Name the rows on which a job works: while there are none, it isn't begun."""

    def named(job: Job) -> Job:
        _WORKS[job] = tuple(map(Work, rows))
        return job

    return named


@outside_requests
def with_work(names: Sequence[str]) -> list[str]:
    """Those jobs, by their dotted names, that have something to do now, or don't say on what they work."""
    asked = {name: _WORKS.get(import_string(name), ()) for name in names}
    answers = iter(_answers([work for works in asked.values() for work in works], clock.now()))
    return [name for name, works in asked.items() if not works or sum(next(answers) for _ in works)]


class Work:
    """The rows on which something works: whether there are any is asked without making SQL again."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def is_there(self, now: float) -> bool:
        """Whether there are any at a moment."""
        return _answers([self], now)[0]

    @property
    def sql(self) -> str:
        """A value of a SELECT."""
        return f"EXISTS ({self._prepared[0]})"

    def values(self, now: float) -> list[Any]:
        """The values in it."""
        return [value + now if is_moment else value for value, is_moment in self._prepared[1]]

    @cached_property
    def _prepared(self) -> tuple[str, list[tuple[Any, bool]]]:
        """SQL with its values: those of them that differ at another moment are moments."""
        (sql, first), (_, second) = self._asked(0.0), self._asked(1.0)
        return sql, [(value, value != other) for value, other in zip(first, second, strict=True)]

    def _asked(self, now: float) -> tuple[str, tuple[Any, ...]]:
        query = self._rows(now).order_by().values("pk")[:1].query
        sql, values = query.sql_with_params()
        return sql, values


_WORKS: dict[Job, tuple[Work, ...]] = {}


def _answers(works: Sequence[Work], now: float) -> Sequence[bool]:
    """Whether there are rows of each, by one statement."""
    if not works:
        return ()
    values = [value for work in works for value in work.values(now)]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(work.sql for work in works)}", values)
        return tuple(map(bool, cursor.fetchone()))
