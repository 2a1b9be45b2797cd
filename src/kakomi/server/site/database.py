"""The database: write transactions, use outside requests, outages, and names folded for comparison."""

import contextlib
import logging
import sqlite3
import threading
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from hashlib import blake2b
from typing import Any, ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections, connection, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql.compiler import SQLCompiler
from django.http import QueryDict

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Row = TypeVar("Row", bound=models.Model)


_UNWRITABLE = {"53100", "58030", "25006"}
"""PostgreSQL's error codes for a full disk, an I/O error, and a read-only transaction."""
_OF_SQLITE = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
_WRITING = threading.RLock()
"""Reentrant, as callbacks after a commit may write again."""


class _Thread(threading.local):
    writings = 0
    """The number of nested `writing` blocks in this thread."""


_THREAD = _Thread()


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """A transaction that writes.

    SQLite allows one writer at a time; others retry with increasing delays. So the threads of a process wait
    for a lock here, which lets the next one continue at once.
    """
    queues = connection.vendor == "sqlite" and not connection.in_atomic_block
    with _WRITING if queues else contextlib.nullcontext(), transaction.atomic():
        _THREAD.writings += 1
        try:
            yield
        finally:
            _THREAD.writings -= 1


def once_written(callback: Callable[[], object]) -> None:
    """Inside `writing`, call something after the commit, or never if it is rolled back; otherwise at once."""
    if _THREAD.writings:
        transaction.on_commit(callback)
    else:
        callback()


def is_away(error: BaseException | None) -> bool:
    """Whether an error is temporary: the database is unavailable or busy, or its disk is full."""
    return isinstance(error, (OperationalError, InterfaceError)) or is_unwritable(error)


def is_unwritable(error: BaseException | None) -> bool:
    """Whether an error means that the database's disk is full, failing or read-only."""
    cause = error and error.__cause__
    if isinstance(cause, sqlite3.Error):  # the low byte of an extended code is its kind
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _OF_SQLITE
    return getattr(cause, "sqlstate", None) in _UNWRITABLE


def outside_requests(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Close unusable connections before and after a function, as Django does for requests.

    Inside a transaction this does nothing.
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


def digest_of(*parts: object) -> str:
    """A short digest of a command, to detect that an idempotency key was reused for another one."""
    return blake2b(repr(parts).encode(), digest_size=9).hexdigest()


def digest_of_form(form: Mapping[str, str]) -> str:
    """A digest of a form with all its fields except the CSRF token."""
    fields = form.lists() if isinstance(form, QueryDict) else form.items()
    return digest_of(sorted((name, value) for name, value in fields if name != "csrfmiddlewaretoken"))


class FailureLog:
    """Logs failures of repeated tasks. While the database is unavailable, each task logs a single line
    instead of a traceback for each attempt."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._waiting: set[str] = set()
        """The tasks that are waiting for the database and have logged that."""

    @contextlib.contextmanager
    def attempt(self, what: str) -> Iterator[None]:
        """A context for one attempt of a repeated task, which logs and suppresses its failure."""
        try:
            yield
        except Exception as error:  # the next attempt may work
            self.failed(what, error)
        else:
            self.worked(what)

    def failed(self, what: str, error: Exception) -> None:
        """Log a failure; while the database is unavailable, only the first one."""
        if not is_away(error):
            self._log.error("%s failed; it is tried again", what, exc_info=error)
        elif what not in self._waiting:
            self._waiting.add(what)
            self._log.warning("%s waits for the database: %s", what, str(error).strip())

    def worked(self, what: str) -> None:
        """Record that a task has worked, and log it if it was waiting for the database."""
        if what in self._waiting:
            self._waiting.discard(what)
            self._log.warning("%s goes on, as the database is back", what)


FOLDED_LENGTH = 60
"""The most characters of a folded name, whose beginning is enough; folding may lengthen names."""
_LAST = "\U0010ffff"


def fold(text: str, length: int | None = FOLDED_LENGTH) -> str:
    """Fold a text for comparison: normalize it (NFKC), ignore case, and truncate it to `length`."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())[:length]


class FoldedField(models.CharField):
    """A folded copy of another field, made by `fold` or another function. Saving updates it; `update` must
    set both fields."""

    def __init__(self, of: str, by: Callable[[str], str] = fold, **options: Any) -> None:
        self.of, self.by = of, by
        super().__init__(
            **{"max_length": FOLDED_LENGTH, "editable": False, "blank": True, "default": "", **options}
        )

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        """The arguments for migrations."""
        name, path, values, options = super().deconstruct()
        return name, path, values, {"of": self.of, **({} if self.by is fold else {"by": self.by}), **options}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """The folded value of the other field."""
        folded = self.by(getattr(model_instance, self.of) or "")
        setattr(model_instance, self.attname, folded)
        return folded


def fold_fields(row: models.Model) -> None:
    """Update the folded fields of a row that isn't saved in the usual way."""
    for field in row._meta.concrete_fields:
        if isinstance(field, FoldedField):
            field.pre_save(row, add=False)


class Prefix(models.Lookup):
    """The lookup of folded names that begin with a text."""

    lookup_name = "prefix"
    prepare_rhs = False

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, list[Any]]:
        """Compare with the range of texts that begin with the prefix."""
        column, values = self.process_lhs(compiler, connection)
        first = fold(self.rhs)
        return f"({column} >= %s AND {column} < %s)", [*values, first, *values, first + _LAST]

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, list[Any]]:
        """Match a LIKE pattern."""
        column, values = self.process_lhs(compiler, connection)
        pattern = f"{connection.ops.prep_for_like_query(fold(self.rhs))}%"
        return f"{column} LIKE %s", [*values, pattern]
