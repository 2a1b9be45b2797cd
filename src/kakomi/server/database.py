"""The database as it is written to, and as it is used outside requests."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

from django.db import DEFAULT_DB_ALIAS, close_old_connections, connection, models, transaction

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Row = TypeVar("Row", bound=models.Model)


_WRITING = threading.Lock()


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """A transaction that writes.

    SQLite lets one write at a time, and who comes second sleeps and tries again, longer and longer. So the
    threads of a process queue up here, where each goes on as soon as it may.
    """
    queues = connection.vendor == "sqlite" and not connection.in_atomic_block
    with _WRITING if queues else contextlib.nullcontext(), transaction.atomic():
        yield


class Prepared(Generic[Row]):
    """A query by certain values, whose SQL is made once: Django takes several times as long to make it as a
    database takes to answer it."""

    def __init__(self, asked: Callable[..., models.QuerySet[Row]]) -> None:
        """`asked` gives the query for values; it compares columns with them as they are, in their order."""
        self._asked = asked
        self._sql = ""

    def rows(self, *values: Any) -> list[Row]:
        """All that there are."""
        if not self._sql:
            self._prepare(values)
        with connection.cursor() as cursor:
            cursor.execute(self._sql, values)
            found = cursor.fetchall()
        converted = self._query.get_compiler(DEFAULT_DB_ALIAS).apply_converters(found, self._converters)
        return [self._model.from_db(DEFAULT_DB_ALIAS, self._names, row) for row in converted]

    def _prepare(self, values: tuple[Any, ...]) -> None:
        query = self._asked(*values)
        compiler = query.query.get_compiler(DEFAULT_DB_ALIAS)
        sql, found = compiler.as_sql()
        if tuple(found) != values:
            raise ValueError(f"a prepared query asks for {found}, not for {values}: keep their order")
        columns = [column for column, *_ in compiler.select]
        self._model, self._query = query.model, query.query
        self._names = [column.target.attname for column in columns]
        self._converters = compiler.get_converters(columns)
        self._sql = sql

    def first(self, *values: Any) -> Row | None:
        """The first, if there is any."""
        return next(iter(self.rows(*values)), None)


def insert(rows: Sequence[models.Model]) -> None:
    """Add rows of one kind, whose numbers the database gives; they don't learn them."""
    fields = [field for field in rows[0]._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(map(_column, fields))
    one = f"({', '.join(['%s'] * len(fields))})"
    sql = f"INSERT INTO {_table(rows[0])} ({columns}) VALUES {', '.join([one] * len(rows))}"
    _execute(sql, [_written(row, field, is_new=True) for row in rows for field in fields])


def update(row: models.Model, names: Sequence[str]) -> None:
    """Keep some fields of a row. Like `insert` it is a fraction of the work that Django's own way is."""
    fields = [field for field in row._meta.concrete_fields if field.name in names]
    (key,) = [_column(field) for field in row._meta.concrete_fields if field.primary_key]
    columns = ", ".join(f"{_column(field)} = %s" for field in fields)
    values = [_written(row, field, is_new=False) for field in fields]
    _execute(f"UPDATE {_table(row)} SET {columns} WHERE {key} = %s", [*values, row.pk])


def _table(row: models.Model) -> str:
    return connection.ops.quote_name(row._meta.db_table)


def _column(field: "models.Field[Any, Any]") -> str:
    return connection.ops.quote_name(str(field.column))


def _written(row: models.Model, field: "models.Field[Any, Any]", *, is_new: bool) -> Any:
    return field.get_db_prep_save(field.pre_save(row, is_new), connection)


def _execute(sql: str, values: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def outside_requests(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Do round a function what Django does round a request: a connection that broke is not used again.

    Inside a transaction it does nothing.
    """

    @wraps(function)
    def wrapped(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        if connection.in_atomic_block:
            return function(*args, **kwargs)
        close_old_connections()
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return wrapped
