"""What several threads may do to one array at once without a lock: add, claim and publish.

The arrays are one-dimensional and of any stride, so that a column of a record array will do.
Interpreted, the plain bodies run, one thread at a time; compiled, those of `atomic_intrinsics`.
"""

from kakomi.kernel.registry import mark_compilable


def add(array, index, amount):
    """Add to an element; what it was before."""
    before = array[index]
    array[index] += amount
    return before


def claim(array, index, expected, wanted):
    """Make an element `wanted` if it is `expected`; whether it was."""
    if array[index] != expected:
        return False
    array[index] = wanted
    return True


def publish(array, index, value):
    """Set an element, once all that this thread wrote before can be seen by the others."""
    array[index] = value


for _function in (add, claim, publish):
    mark_compilable(_function)
