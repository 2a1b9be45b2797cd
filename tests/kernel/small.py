"""Minimal drivers, for tests of compiled files."""

import contextlib
from collections.abc import Iterator

import numpy as np

from kakomi.kernel import driver, use_mode, when_compiling
from kakomi.kernel.driver import Driver


@driver
def doubled(numbers):
    """Double the first number."""
    numbers[0] *= 2


@driver
def trebled(numbers):
    """Treble the first number: another driver with the same argument."""
    numbers[0] *= 3


def doubled_anew() -> str:
    """Call `doubled` as a new process would; return "found" if it was on disk, otherwise "compiled"."""
    compiled = []

    @contextlib.contextmanager
    def noting(name: str) -> Iterator[None]:
        compiled.append(name)
        yield

    numbers = np.array([21])
    with use_mode("compiled"), when_compiling(noting):
        Driver(doubled.function)(numbers)
    assert numbers[0] == 42
    return "compiled" if compiled else "found"
