"""Sets of small numbers as bits of one number."""

import numpy as np

LOWEST_BIT = np.array([(mask & -mask).bit_length() - 1 for mask in range(1 << 6)])
"""The least number in a set of numbers below 6, by the set; -1 for the empty one."""


def count_bits(mask):
    """How many bits of a number that isn't negative are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
