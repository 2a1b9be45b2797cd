"""What is tried again and again is told of once while the database is away."""

import logging

import pytest
from django.db import InterfaceError, OperationalError

from kakomi.server.database import FailureLog, is_away, is_unwritable


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


class _FullError(Exception):
    sqlstate = "53100"


class _GoneError(Exception):
    sqlstate = None


def _caused_by(cause: Exception) -> OperationalError:
    error = OperationalError()
    error.__cause__ = cause
    return error


def test_a_full_disk_is_told_apart_from_an_absence() -> None:
    assert is_unwritable(_caused_by(_FullError())) and is_unwritable(_caused_by(OSError("SQLite's")))
    assert not is_unwritable(_caused_by(_GoneError()))
    assert is_away(OperationalError()) and is_away(InterfaceError())
    assert not is_away(ValueError()) and not is_away(None)
