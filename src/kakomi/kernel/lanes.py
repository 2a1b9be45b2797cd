"""SIMD operations on sixteen numbers at a time.

Arrays are one-dimensional float32; an index is that of the first of `LANES` numbers, without bounds checks.
Interpreted code runs the bodies here on NumPy arrays. Compiled code runs those of `lanes_intrinsics`, which
may sum in another order, so the last digits depend on the processor.
"""

import numpy as np

from kakomi.kernel.registry import mark_compilable

LANES = 16
"""The numbers processed at a time; arrays are padded to a multiple of this."""


def load(array, index):
    """Return the `LANES` numbers from an index on."""
    return array[index : index + LANES].copy()


def store(array, index, lanes):
    """Write `LANES` numbers from an index on."""
    array[index : index + LANES] = lanes


def spread(array, index):
    """Copy one number of an array to all lanes."""
    return np.full(LANES, array[index])


def splat(number):
    """Copy a float32 to all lanes."""
    return np.full(LANES, number, np.float32)


def larger(one, other):
    """Return the larger number in each lane."""
    return np.maximum(one, other)


def total(lanes):
    """Return the sum of all lanes."""
    return lanes.sum()


for _function in (load, store, spread, splat, larger, total):
    mark_compilable(_function)
