"""The lock that lets only one of several processes and threads compile."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from kakomi.kernel import use_mode, when_compiling
from kakomi.kernel.cache import CompileLock
from kakomi.kernel.driver import Driver
from kernel.small import doubled

fcntl = pytest.importorskip("fcntl", reason="there are no such locks here")

TRIES = 200


def is_free(path: Path) -> bool:
    """Whether another process would get the lock."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True


def at_once(*calls: Callable[[], None]) -> list[BaseException]:
    """Make calls in threads that start together, and return the exceptions raised."""
    barrier, raised = threading.Barrier(len(calls)), list[BaseException]()

    def call(function: Callable[[], None]) -> None:
        barrier.wait()
        try:
            function()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=call, args=(each,)) for each in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_only_the_thread_that_took_it_gives_it_back(tmp_path: Path) -> None:
    lock, kernel = CompileLock(), tmp_path / "one.kernel"
    lock.take(kernel)
    assert at_once(*[lock.give_back] * 2) == []
    assert not is_free(tmp_path / "one.lock")
    lock.give_back()
    lock.give_back()
    assert os.listdir(tmp_path) == []


def test_threads_that_take_and_give_back_at_once_close_no_file_of_others(tmp_path: Path) -> None:
    lock = CompileLock()

    def take_turns() -> None:
        for number in range(TRIES):
            lock.take(tmp_path / f"{number}.kernel")
            with open(tmp_path / "other", "ab") as file:  # takes the next file descriptor
                lock.give_back()
                file.write(b".")

    assert at_once(*[take_turns] * 2) == []
    assert (tmp_path / "other").stat().st_size == 2 * TRIES


def test_threads_that_first_use_a_driver_compile_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAKOMI_CACHE_DIR", str(tmp_path / "cache"))
    driver, compiled = Driver(doubled.function), []

    @contextlib.contextmanager
    def noting(name: str) -> Iterator[None]:
        compiled.append(name)
        yield

    def use() -> None:
        with use_mode("compiled"):
            driver(numbers := np.array([21]))
        assert numbers[0] == 42

    with when_compiling(noting):
        assert at_once(*[use] * 2) == []
    assert compiled == ["doubled"]
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".kernel"]
