"""Settings of all tests, such as a folder for compiled code that is kept between runs."""

import os
import signal
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import settings

from frugal import frugal
from kakomi.kernel import Mode, mode
from sampling import ALL, seed
from server.migrated import run

PROJECT = Path(__file__).resolve().parent.parent

# Keeping files is safe: their names identify everything that they depend on (docs/architecture.md).
os.environ.setdefault("KAKOMI_CACHE_DIR", str(PROJECT / ".cache" / "kernels"))

# No test is about a crash of PostgreSQL, so commits needn't wait for the disk.
os.environ.setdefault("PGOPTIONS", "-c synchronous_commit=off")

# Before the workers start, as children of this process.
run()
os.environ["KAKOMI_TEST_SEED"] = seed()

# Shells make background processes ignore Ctrl-C, which the programs started by tests would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Timings are never asserted, and the first example of a game may have to compile its rules.
settings.register_profile("kakomi", deadline=None)
settings.load_profile("kakomi")

FRUGAL = (
    "tests/bots/",
    "tests/cli/",
    "tests/contest/",
    "tests/core/",
    "tests/docs/",
    "tests/draw/",
    "tests/farm/",
    "tests/networks/test_observation.py",
    "tests/learn/test_training_games.py",
    "tests/protocol/",
    "tests/records/",
    "tests/research/",
    "tests/session/",
)
"""Tests that only use code compiled for other tests."""
FIRST = (
    "tests/processes/test_wheel.py",
    "tests/processes/test_sixth_game.py",
    "tests/processes/test_edited_rules.py",
)
"""Files with expensive fixtures shared by all their tests."""
LONG = ("tests/browser/test_accessible.py", "tests/processes/season/")
"""Paths with tests that take half a minute each."""


def pytest_report_header() -> str:
    return "samples: all cases" if ALL else f"samples: drawn by KAKOMI_TEST_SEED={seed()}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Be frugal from the first fixture to the last, since module fixtures play games too."""
    is_frugal = item.nodeid.startswith(FRUGAL) and mode() is Mode.COMPILED and not ALL
    with frugal() if is_frugal else nullcontext():
        return (yield)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these tests first: idle workers steal tests from the end of other workers' queues, so that shared
    fixtures would be made twice, and a long test could run last and alone."""
    items.sort(key=lambda item: (not item.nodeid.startswith(FIRST), not item.nodeid.startswith(LONG)))
