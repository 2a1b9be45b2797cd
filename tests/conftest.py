"""What all tests share: a folder for compiled code, kept between runs."""

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

# A file's name there says all that its content depends on (docs/architecture.md), so keeping it is safe.
os.environ.setdefault("KAKOMI_CACHE_DIR", str(PROJECT / ".cache" / "kernels"))

# Nothing here is about a PostgreSQL that dies, so a commit there waits for no disk.
os.environ.setdefault("PGOPTIONS", "-c synchronous_commit=off")

# Before workers begin, which belong to it.
run()
os.environ["KAKOMI_TEST_SEED"] = seed()

# A shell makes what it runs in the background deaf to Ctrl-C, and the programs that tests start would be too.
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
    "tests/learn/test_observation.py",
    "tests/learn/test_training_games.py",
    "tests/protocol/",
    "tests/records/",
    "tests/research/",
    "tests/session/",
)
"""Tests that compile nothing that isn't compiled for others."""
FIRST = (
    "tests/processes/test_wheel.py",
    "tests/processes/test_sixth_game.py",
    "tests/processes/test_edited_rules.py",
)
"""Files that make something large for all their tests."""
LONG = ("tests/browser/test_accessible.py", "tests/processes/season/")
"""Where tests take half a minute by themselves."""


def pytest_report_header() -> str:
    return "samples: all cases" if ALL else f"samples: drawn by KAKOMI_TEST_SEED={seed()}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """From the first fixture to the last: those of a whole module play games, too."""
    is_frugal = item.nodeid.startswith(FRUGAL) and mode() is Mode.COMPILED and not ALL
    with frugal() if is_frugal else nullcontext():
        return (yield)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with them: a worker that has nothing left takes tests from another's end, and what they share
    would be made twice, or last of all by a worker alone. So would be a long test."""
    items.sort(key=lambda item: (not item.nodeid.startswith(FIRST), not item.nodeid.startswith(LONG)))
