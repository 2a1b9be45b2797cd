"""Sixteen numbers at a time: what compiled code does with them in a few instructions.

Arrays are one-dimensional float32; an index is that of the first of `LANES` numbers. Nobody checks that they
lie in the array. Interpreted, the plain bodies run, on arrays of NumPy; compiled, those of
`lanes_intrinsics`, whose sums may come in another order, so that last digits depend on the processor.
"""

import numpy as np

from kakomi.kernel.registry import mark_compilable

LANES = 16
"""So many numbers; whatever is calculated in lanes is padded to a multiple of them."""


def load(array, index):
    """The numbers from an index on."""
    return array[index : index + LANES].copy()


def store(array, index, lanes):
    """Write numbers from an index on."""
    array[index : index + LANES] = lanes


def spread(array, index):
    """One number of an array in all lanes."""
    return np.full(LANES, array[index])


def splat(number):
    """A float32 in all lanes."""
    return np.full(LANES, number, np.float32)


def larger(one, other):
    """The larger number in each lane."""
    return np.maximum(one, other)


def total(lanes):
    """The sum of all."""
    return lanes.sum()


for _function in (load, store, spread, splat, larger, total):
    mark_compilable(_function)
