"""The smallest drivers, for tests of what becomes of a compiled file."""

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
    """Another, which takes the same."""
    numbers[0] *= 3


def doubled_anew() -> str:
    """Call it as a new process would, which finds it on disk or compiles it; says which of the two."""
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
