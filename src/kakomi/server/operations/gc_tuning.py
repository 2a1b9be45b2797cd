"""The garbage collector, tuned so that it seldom holds up a page."""

import gc

FULL_COLLECTION_EVERY = 1000
"""Collections of what is young to one of everything. Python's own is 10: with 500 tables in memory the site
then stood still for a third of a second every quarter of a minute (docs/operations.md). What is left to
such a collection is some hundred objects a second, which may well wait for twenty minutes."""


def pause_gc() -> None:
    """Look for no garbage while the site starts: what is imported stays, and looking through it again and
    again is a fifth of all the work until the first answer (`python -m benchmarks.restart`)."""
    gc.disable()


def tune_gc() -> None:
    """Look for garbage in what has been loaded so far never again, and in what lives long seldom.

    What is garbage already is kept: two thousand small objects, and finding them takes a tenth of a second.
    """
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], FULL_COLLECTION_EVERY)
    gc.enable()
