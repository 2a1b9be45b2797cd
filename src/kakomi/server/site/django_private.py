"""The few places that use Django's private API, and types of ASGI applications."""

import asyncio
import contextlib
import contextvars
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import lru_cache, partial
from typing import IO, Any, Generic, TypeVar

from asgiref.sync import SyncToAsync, sync_to_async
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models.base import ModelState
from django.db.models.query import get_related_populators
from django.http.response import HttpResponseBase
from django.urls import URLResolver, set_script_prefix
from django.urls.resolvers import RoutePattern

Scope = dict[str, Any]
"""The data of a connection."""
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


Row = TypeVar("Row", bound=models.Model)
THREAD = "kakomi.thread"
"""The key of a request's thread (an executor) in its ASGI scope."""


class AsgiHandler(ASGIHandler):
    """Handles a request in a single call in its thread.

    Django's handler switches to the thread and back five times, for signals and between middleware of both
    kinds, which takes as long as rendering a small page. Streams are still sent by the event loop.
    """

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self._is_ending = asyncio.Event()

    def end_streams(self) -> None:
        """End all streaming responses properly, as the site is shutting down."""
        self._is_ending.set()

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            response = await _in_thread(scope.get(THREAD), partial(self._made, scope, body))
            if response.streaming:
                await self._stream(response, receive, send)
            else:
                await self.send_response(response, send)

    def _made(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: HttpResponseBase | None = refusal
        if request is not None:
            response = self.get_response(request)
        assert response is not None
        response._handler_class = self.__class__  # type: ignore[attr-defined]
        if not response.streaming:
            response.close()  # this ends the request but keeps the response's content
        return response

    async def _stream(self, response: HttpResponseBase, receive: Receive, send: Send) -> None:
        sending = asyncio.create_task(self.send_response(response, send))
        leaving = asyncio.create_task(self.listen_for_disconnect(receive))
        ending = asyncio.create_task(self._is_ending.wait())
        tasks = (sending, leaving, ending)
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            sent, *_ = await asyncio.gather(*tasks, return_exceptions=True)
            await sync_to_async(response.close)()
        if isinstance(sent, Exception):
            raise sent
        if done == {ending}:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _in_thread(thread: Executor | None, function: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Like `sync_to_async` but three times as fast, as that looks for its thread on every call."""
    if thread is None:
        return await sync_to_async(function)()
    loop, context = asyncio.get_running_loop(), contextvars.copy_context()
    response = await loop.run_in_executor(thread, context.run, _known_to_asgiref, loop, function)
    if response.streaming:  # so that it continues in the same language
        for variable, value in context.items():
            variable.set(value)
    return response


def _known_to_asgiref(
    loop: asyncio.AbstractEventLoop, function: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """Call a function so that asgiref runs its coroutine views in the event loop."""
    SyncToAsync.threadlocal.main_event_loop = loop
    SyncToAsync.threadlocal.main_event_loop_pid = os.getpid()
    return function()


class LazyResolver(URLResolver):
    """The URLs of a module that is imported when one of them is first requested or reversed.

    Django's resolver imports all modules as soon as any URL is reversed. The namespace shows that a name
    belongs to this module without importing it.
    """

    def __init__(self, prefix: str, module: str, *, app_name: str, namespace: str) -> None:
        route = RoutePattern(prefix, is_endpoint=False)
        super().__init__(route, module, app_name=app_name, namespace=namespace)

    def _populate(self) -> None:
        """Do nothing until the module is imported, as this is also called when other URLs are reversed."""
        if "urlconf_module" in vars(self):
            super()._populate()

    @property
    def reverse_dict(self) -> Any:
        """Names -> URL patterns, after importing the module."""
        self.urlconf_module  # noqa: B018 (imports it)
        return super().reverse_dict

    def _reverse_with_prefix(self, *args: Any, **kwargs: Any) -> Any:
        self.urlconf_module  # noqa: B018 (imports it)
        return super()._reverse_with_prefix(*args, **kwargs)  # type: ignore[misc]


class PreparedQuery(Generic[Row]):
    """A query with parameters whose SQL is generated only once, as Django takes several times as long for
    that as the database for the query. Supports `select_related`."""

    def __init__(self, query_of: Callable[..., models.QuerySet[Row]]) -> None:
        """`query_of` returns the query for some values, which must be its parameters, unchanged and in
        order."""
        self._query_of = query_of
        self._sql = ""

    def rows(self, *values: Any) -> list[Row]:
        """All rows for these values."""
        if not self._sql:
            self._prepare(values)
        with connection.cursor() as cursor:
            cursor.execute(self._sql, values)
            found = cursor.fetchall()
        if not found:
            return []
        converted = self._query.get_compiler(DEFAULT_DB_ALIAS).apply_converters(found, self._converters)
        return [self._filled(row) for row in converted]

    def _filled(self, values: Sequence[Any]) -> Row:
        """A row from its own columns, which come first, and those of related rows.

        The result is that of `from_db`, without Django's checks for each field.
        """
        row = self._model.__new__(self._model)
        row._state = ModelState()
        row._state.db, row._state.adding = DEFAULT_DB_ALIAS, False
        row.__dict__.update(zip(self._names, values, strict=False))
        for related in self._related:
            related.populate(values, row)
        return row

    def _prepare(self, values: tuple[Any, ...]) -> None:
        query = self._query_of(*values)
        compiler = query.query.get_compiler(DEFAULT_DB_ALIAS)
        sql, found = compiler.as_sql()
        if tuple(found) != values:
            raise ValueError(f"a prepared query asks for {found}, not for {values}: keep their order")
        columns = [column for column, *_ in compiler.select]
        own = columns[: len(compiler.klass_info["select_fields"])]
        self._model, self._query = query.model, query.query
        self._names = [column.target.attname for column in own]
        self._related = get_related_populators(compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # the types are of a later release
        self._converters = compiler.get_converters(columns)
        self._sql = sql

    def first(self, *values: Any) -> Row | None:
        """The first row for these values, or None."""
        return next(iter(self.rows(*values)), None)


def insert(rows: Sequence[models.Model], *, ignore_conflicts: bool = False) -> None:
    """Insert rows of one model. Their primary keys are generated, and aren't set on the objects.

    `ignore_conflicts` skips rows that violate a unique constraint.
    """
    fields, sql = _insertion(type(rows[0]), len(rows))
    if ignore_conflicts:
        sql += " ON CONFLICT DO NOTHING"
    _execute(sql, [_written(row, field, is_new=True) for row in rows for field in fields])


def update(row: models.Model, names: Sequence[str]) -> None:
    """Save some fields of a row. Like `insert`, this takes a fraction of the time of Django's own way."""
    fields, sql = _change(type(row), tuple(names))
    _execute(sql, [*(_written(row, field, is_new=False) for field in fields), row.pk])


_Fields = list["models.Field[Any, Any]"]
_STATEMENTS = 500
"""The number of statements whose SQL is cached."""


@lru_cache(maxsize=_STATEMENTS)
def _insertion(model: type[models.Model], count: int) -> tuple[_Fields, str]:
    """The fields of a new row, and the statement that inserts `count` rows."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    one = f"({', '.join(['%s'] * len(fields))})"
    columns, rows = ", ".join(map(_column, fields)), ", ".join([one] * count)
    return fields, f"INSERT INTO {_table(model)} ({columns}) VALUES {rows}"


@lru_cache(maxsize=_STATEMENTS)
def _change(model: type[models.Model], names: tuple[str, ...]) -> tuple[_Fields, str]:
    """The fields with these names, and the statement that updates them in one row."""
    fields = [field for field in model._meta.concrete_fields if field.name in names]
    (key,) = [_column(field) for field in model._meta.concrete_fields if field.primary_key]
    columns = ", ".join(f"{_column(field)} = %s" for field in fields)
    return fields, f"UPDATE {_table(model)} SET {columns} WHERE {key} = %s"


def _table(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _column(field: "models.Field[Any, Any]") -> str:
    return connection.ops.quote_name(str(field.column))


def _written(row: models.Model, field: "models.Field[Any, Any]", *, is_new: bool) -> Any:
    return field.get_db_prep_save(field.pre_save(row, is_new), connection)


def _execute(sql: str, values: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


@contextlib.contextmanager
def reading_transactions() -> Iterator[None]:
    """Make SQLite's transactions begin as readers, which don't block writers, instead of as writers."""
    sqlite: Any = connection if connection.vendor == "sqlite" else None
    usual = sqlite and sqlite.transaction_mode
    try:
        if sqlite:
            sqlite.transaction_mode = "DEFERRED"
        yield
    finally:
        if sqlite:
            sqlite.transaction_mode = usual
