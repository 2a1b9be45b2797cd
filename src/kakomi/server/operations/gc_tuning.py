"""Tuning of the garbage collector, so that it rarely delays responses."""

import gc

FULL_COLLECTION_EVERY = 1000
"""The number of young collections per full collection. Python's default is 10; with 500 tables in memory the
site then stopped for a third of a second every 15 seconds. Only about a hundred objects per second need a
full collection, and they can wait for twenty minutes."""


def pause_gc() -> None:
    """Disable garbage collection while the site starts. Imported objects are permanent, and collecting them
    repeatedly takes a fifth of the time until the first response (`python -m benchmarks.restart`)."""
    gc.disable()


def tune_gc() -> None:
    """Exempt all existing objects from collection, and make full collections rare. Existing garbage stays: it
    is about two thousand small objects, and finding them would take a tenth of a second."""
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], FULL_COLLECTION_EVERY)
    gc.enable()
