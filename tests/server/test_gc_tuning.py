"""What keeps the garbage collector from holding up pages, and still lets it work."""

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from kakomi.server.operations.gc_tuning import FULL_COLLECTION_EVERY, pause_gc, tune_gc


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.enable()
    gc.set_threshold(*thresholds)


class Knot:
    """Garbage that nothing but the collector finds."""

    def __init__(self) -> None:
        self.itself = self


def test_what_was_loaded_is_looked_through_no_more() -> None:
    before = gc.get_freeze_count()
    tune_gc()
    assert gc.get_freeze_count() > before
    assert gc.get_threshold()[2] == FULL_COLLECTION_EVERY


def test_garbage_that_is_young_still_goes() -> None:
    pause_gc()
    assert not gc.isenabled()
    tune_gc()
    assert gc.isenabled()
    knot = ref(Knot())
    gc.collect(0)
    assert knot() is None


def test_a_full_collection_finds_what_became_garbage_later() -> None:
    tune_gc()
    living = Knot()
    knot = ref(living)
    gc.collect(1)
    gc.collect(1)
    del living
    gc.collect(1)
    assert knot() is not None
    gc.collect()
    assert knot() is None
