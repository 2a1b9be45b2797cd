"""Tests that aren't about compiled code use what other tests have compiled, and compile nothing
themselves."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

import pytest

from kakomi.kernel import Mode


@contextmanager
def frugal() -> Iterator[None]:
    """Run drivers compiled if their code is on disk and otherwise interpreted, in all threads; the results
    are the same.

    Only networks and batches of playouts are compiled, because tests would take minutes otherwise.
    """
    search = import_module("kakomi.search.search")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("kakomi.kernel.driver"), "_default_mode", [Mode.ADAPTIVE])
        patch.setattr(search, "INTERPRETED_SECONDS", math.inf)
        for module, name in (("networks.inference", "evaluate"), ("search.playout", "playouts")):
            patch.setattr(getattr(import_module(f"kakomi.{module}"), name), "is_cached", lambda _: True)
        for advised in ("advised_search.AdvisedSearch", "search.PatternSearch"):
            patch.setattr(f"kakomi.search.{advised}._is_advised", False)
        yield
