"""The garbage collector, tuned so that it seldom holds up a page."""

import gc

FULL_COLLECTION_EVERY = 1000
"""Collections of what is young to one of everything. Python's own is 10: with 500 tables in memory the site
then stood still for a third of a second every quarter of a minute. What is left to
such a collection is some hundred objects a second, which may well wait for twenty minutes."""


def pause_gc() -> None:
    """Collect no garbage while the site starts. Imported objects stay, and repeated collections of them
    are a fifth of all work until the first answer (`python -m benchmarks.restart`)."""
    gc.disable()


def tune_gc() -> None:
    """Exempt all objects so far from collection, and collect long-lived objects seldom. Existing garbage
    is kept: it is two thousand small objects, and finding them takes a tenth of a second."""
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], FULL_COLLECTION_EVERY)
    gc.enable()
