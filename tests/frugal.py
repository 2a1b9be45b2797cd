"""Tests whose subject is no compiled code use what others have compiled, and compile nothing themselves."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import pytest

from kakomi.kernel import Driver, Mode


@contextmanager
def frugal() -> Iterator[None]:
    """Run drivers compiled where their code is on disk and else interpreted, in all threads; the
    results are the same.

    Only long searches and many playouts compile themselves.
    """

    def patience(driver: Any) -> float:
        own: float = driver.__dict__["_patience"]
        return own if driver.function.__name__ in ("simulate", "playouts") else math.inf

    def take_patience(driver: Any, left: float) -> None:
        driver.__dict__["_patience"] = left

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Driver, "_patience", property(patience, take_patience), raising=False)
        patch.setattr(import_module("kakomi.kernel.driver"), "_default_mode", Mode.ADAPTIVE)
        yield
