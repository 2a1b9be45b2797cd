"""Sets of small numbers as bit masks."""

import numpy as np

LOWEST_BIT = np.array([(mask & -mask).bit_length() - 1 for mask in range(1 << 6)])
"""The smallest member of each set of numbers below 6, indexed by the mask; -1 for the empty set."""


def count_bits(mask):
    """Return the number of set bits in a non-negative number."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
