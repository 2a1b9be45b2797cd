"""Atomic operations on arrays that threads share without a lock: add, claim and publish.

The arrays are one-dimensional and may have any stride, so a column of a record array works. Interpreted code
runs the bodies here, one thread at a time; compiled code runs those of `atomic_intrinsics`.
"""

from kakomi.kernel.registry import mark_compilable


def add(array, index, amount):
    """Add to an element. Return its previous value."""
    before = array[index]
    array[index] += amount
    return before


def claim(array, index, expected, wanted):
    """Set an element to `wanted` if it equals `expected` (compare-and-swap). Return whether it did."""
    if array[index] != expected:
        return False
    array[index] = wanted
    return True


def publish(array, index, value):
    """Set an element after all earlier writes of this thread have become visible to others."""
    array[index] = value


for _function in (add, claim, publish):
    mark_compilable(_function)
