"""What is tried again and again is told of once while the database is away."""

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError

from kakomi.server.site.database import FailureLog, is_away, is_unwritable
from kakomi.server.site.errors import broken


def test_an_absence_is_told_once_and_its_end(caplog: pytest.LogCaptureFixture) -> None:
    failures = FailureLog(logging.getLogger("kakomi.test"))
    for _ in range(3):
        failures.failed("the heartbeat", OperationalError("connection refused\n"))
    failures.failed("looking for news", InterfaceError("the connection is closed"))
    for _ in range(2):
        failures.worked("the heartbeat")
    assert [record.getMessage() for record in caplog.records] == [
        "the heartbeat waits for the database: connection refused",
        "looking for news waits for the database: the connection is closed",
        "the heartbeat goes on, as the database is back",
    ]
    assert all(record.exc_info is None for record in caplog.records)


def test_other_failures_are_told_each_time_with_where_they_were(caplog: pytest.LogCaptureFixture) -> None:
    failures = FailureLog(logging.getLogger("kakomi.test"))
    for _ in range(2):
        failures.failed("a job", ValueError("no such thing"))
    assert caplog.text.count("a job failed; it is tried again") == 2
    assert "ValueError: no such thing" in caplog.text


class _CauseError(Exception):
    def __init__(self, sqlstate: str | None) -> None:
        self.sqlstate = sqlstate


def _caused_by(cause: Exception, kind: type[DatabaseError] = OperationalError) -> DatabaseError:
    error = kind()
    error.__cause__ = cause
    return error


def _sqlite_full(path: Path) -> None:
    with closing(sqlite3.connect(path)) as there:
        there.execute("CREATE TABLE t (x)")
        there.execute("PRAGMA max_page_count = 3")
        there.execute("INSERT INTO t VALUES (zeroblob(100000))")


def _sqlite_read_only(path: Path) -> None:
    sqlite3.connect(path).execute("CREATE TABLE t (x)")
    sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("INSERT INTO t VALUES (1)")


def _sqlite_without_its_folder(path: Path) -> None:
    sqlite3.connect(path / "no" / "such" / "file").execute("CREATE TABLE t (x)")


def _sqlite_locked(path: Path) -> None:
    first, second = (sqlite3.connect(path, timeout=0) for _ in range(2))
    first.execute("BEGIN EXCLUSIVE")
    second.execute("CREATE TABLE t (x)")


@pytest.mark.parametrize(
    ("fail", "expected"),
    [
        (_sqlite_full, True),
        (_sqlite_read_only, True),
        (_sqlite_without_its_folder, True),
        (_sqlite_locked, False),
    ],
)
def test_what_sqlite_can_not_write_is_told_apart_from_what_it_waits_for(
    fail: Callable[[Path], None], expected: bool, tmp_path: Path
) -> None:
    with pytest.raises(sqlite3.OperationalError) as raised:
        fail(tmp_path / "site.sqlite3")
    error = _caused_by(raised.value)
    assert is_unwritable(error) is expected and is_away(error)


@pytest.mark.parametrize("name", ["SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_SHMSIZE"])
def test_a_disk_that_fails_is_a_disk_that_can_not_be_written(name: str) -> None:
    failed = sqlite3.OperationalError("disk I/O error")
    failed.sqlite_errorcode = getattr(sqlite3, name)
    assert is_unwritable(_caused_by(failed))


def test_a_full_disk_is_told_apart_from_an_absence() -> None:
    assert is_unwritable(_caused_by(_CauseError("53100"))) and is_unwritable(_caused_by(_CauseError("58030")))
    read_only = _caused_by(_CauseError("25006"), InternalError)
    assert is_unwritable(read_only) and is_away(read_only)
    assert not is_unwritable(_caused_by(_CauseError(None))) and not is_unwritable(
        _caused_by(_CauseError("57P03"))
    )
    assert not is_unwritable(OperationalError()) and not is_away(InternalError())
    assert is_away(OperationalError()) and is_away(InterfaceError())
    assert not is_away(ValueError()) and not is_away(None)


@pytest.mark.parametrize("path", ["/play/rin", "/api/v1/tables"])
def test_who_asks_hears_what_is_true(path: str, rf: Any) -> None:
    for cause, said, other in (
        (
            _CauseError("53100"),
            "be saved",
            "responding",
        ),
        (
            _CauseError("57P03"),
            "responding",
            "be saved",
        ),
    ):
        try:
            raise _caused_by(cause)
        except OperationalError:
            answer = broken(rf.post(path))
        assert answer.status_code == 503 and answer["Retry-After"]
        assert said in answer.content.decode() and other not in answer.content.decode()
