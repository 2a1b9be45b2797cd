"""Sets of small numbers as bits of one number."""


def count_bits(mask):
    """How many bits of a number that isn't negative are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
