"""Tests whose subject is no compiled code use what others have compiled, and compile nothing themselves."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module

import pytest

from kakomi.kernel import Driver, Mode

_MODULES = (
    "learn.steps",
    "research.steps",
    "search.tree",
    "solve.search",
    "solve.table",
    "study.perft_kernel",
)


@cache
def _impatient() -> list[Driver]:
    """Drivers that would compile themselves, as they are slow interpreted; those of searches may."""
    modules = [import_module(f"kakomi.{name}") for name in _MODULES]
    return [value for module in modules for value in vars(module).values() if isinstance(value, Driver)]


@contextmanager
def frugal() -> Iterator[None]:
    """Run drivers compiled where their code is on disk and else interpreted, in all threads; the
    results are the same.

    Only searches and many playouts compile themselves.
    """
    with pytest.MonkeyPatch.context() as patch:
        for driver in _impatient():
            patch.setattr(driver, "_patience", math.inf)
        patch.setattr(import_module("kakomi.kernel.driver"), "_default_mode", Mode.ADAPTIVE)
        yield
