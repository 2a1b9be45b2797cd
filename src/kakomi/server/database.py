"""The database: transactions that write, its use outside requests, and what is told while it is away."""

import contextlib
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from hashlib import blake2b
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections, connection, models, transaction
from django.http import QueryDict

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Row = TypeVar("Row", bound=models.Model)


_UNWRITABLE = {"53100", "58030", "25006"}
"""PostgreSQL's codes: its disk is full, or fails, or may only be read."""
_OF_SQLITE = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
_WRITING = threading.RLock()
"""A thread takes it once more for what it writes after a commit."""


class _Thread(threading.local):
    writings = 0
    """How many `writing` of this thread are open, one in the other."""


_THREAD = _Thread()


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """A transaction that writes.

    SQLite lets one write at a time, and who comes second sleeps and tries again, longer and longer. So the
    threads of a process queue up here, where each goes on as soon as it may.
    """
    queues = connection.vendor == "sqlite" and not connection.in_atomic_block
    with _WRITING if queues else contextlib.nullcontext(), transaction.atomic():
        _THREAD.writings += 1
        try:
            yield
        finally:
            _THREAD.writings -= 1


def once_written(callback: Callable[[], object]) -> None:
    """Call something once what is being written is committed, and never if it isn't; else at once."""
    if _THREAD.writings:
        transaction.on_commit(callback)
    else:
        callback()


def is_away(error: BaseException | None) -> bool:
    """Whether something failed as the database is away, its disk is full, or it is too busy: not for ever."""
    return isinstance(error, (OperationalError, InterfaceError)) or is_unwritable(error)


def is_unwritable(error: BaseException | None) -> bool:
    """Whether something failed as the database can't be written: its disk is full, or can't be used."""
    cause = error and error.__cause__
    if isinstance(cause, sqlite3.Error):  # the low byte of an extended code is its kind
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _OF_SQLITE
    return getattr(cause, "sqlstate", None) in _UNWRITABLE


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


def digest_of(*parts: object) -> str:
    """What was sent under a key, in a few letters: the same key with another digest is another command."""
    return blake2b(repr(parts).encode(), digest_size=9).hexdigest()


def digest_of_form(form: Mapping[str, str]) -> str:
    """What was sent in a form, its key included: a form that is changed and sent again is another one."""
    fields = form.lists() if isinstance(form, QueryDict) else form.items()
    return digest_of(sorted((name, value) for name, value in fields if name != "csrfmiddlewaretoken"))


class FailureLog:
    """The failures of what is tried again and again: while the database is away a line, and not four times a
    second where it failed."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._waiting: set[str] = set()
        """What has failed as the database is away, and was told."""

    @contextlib.contextmanager
    def attempt(self, what: str) -> Iterator[None]:
        """Try something that is tried again: its failure is told, and ends it."""
        try:
            yield
        except Exception as error:  # a database that is away comes back
            self.failed(what, error)
        else:
            self.worked(what)

    def failed(self, what: str, error: Exception) -> None:
        """Tell of a failure; while the database is away, only of the first one."""
        if not is_away(error):
            self._log.error("%s failed; it is tried again", what, exc_info=error)
        elif what not in self._waiting:
            self._waiting.add(what)
            self._log.warning("%s waits for the database: %s", what, str(error).strip())

    def worked(self, what: str) -> None:
        """Note that it has worked."""
        if what in self._waiting:
            self._waiting.discard(what)
            self._log.warning("%s goes on, as the database is back", what)
