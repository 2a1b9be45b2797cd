"""The transposition table: bounds on the values of positions, in bounded memory.

`Table` holds the memory that the compiled functions work on. A position can be stored in one of four places;
it replaces the entry with the smallest search effort (D. Breuker, J. Uiterwijk and J. van den
Herik, "Replacement schemes for transposition tables", 1994).
"""

from collections.abc import Iterator

import numpy as np

from kakomi.kernel import driver

PLACES = 4
"""Adjacent entries in which a position can be stored; they fill one cache line."""
SAMPLE = 1 << 12
PART = 1 << 20
UNBOUNDED = 30_000
"""Larger than any margin."""
NO_ACTION = -1

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("lower", np.int16),
        ("upper", np.int16),
        ("action", np.int16),  # the action that proved the bounds, on the board under the key's symmetry
        ("effort", np.int16),  # bit length of the number of positions searched; 0: an empty entry
    ],
    align=True,
)


class Table:
    """A table of as many entries as fit into `memory_mb` (units of 2**20 bytes)."""

    def __init__(self, memory_mb: float) -> None:
        groups = max(1, int(memory_mb * 2**20) // (PLACES * ENTRY.itemsize))
        if groups >= 2**32:
            raise ValueError(f"{memory_mb} MB are more than the table can use, which is 256 GB")
        self.entries = np.zeros(groups * PLACES, ENTRY)

    def part_in_use(self) -> float:
        """Estimate the fraction of entries in use, from 0 to 1, from the first `SAMPLE` entries."""
        return float((self.entries["effort"][:SAMPLE] > 0).mean())

    def used_entries(self) -> Iterator[np.ndarray]:
        """Yield the entries in use, in blocks."""
        for start in range(0, len(self.entries), PART):
            part = self.entries[start : start + PART]
            yield part[part["effort"] > 0]

    def take_in(self, kept: np.ndarray) -> None:
        """Add entries from a table of any size."""
        fill(self.entries, kept)


def first_place(entries, key):
    """Return the first place of a key. (Multiplication would overflow in interpreted code.)"""
    x = key ^ (key >> np.uint64(29))
    x ^= x << np.uint64(21)
    x ^= x >> np.uint64(35)
    x ^= x << np.uint64(4)
    x ^= x >> np.uint64(31)
    x ^= x << np.uint64(17)
    groups = np.uint64(len(entries) // PLACES)
    return int(((x >> np.uint64(32)) * groups) >> np.uint64(32)) * PLACES


def find(entries, key):
    """Return the place of a key's entry, or -1."""
    first = first_place(entries, key)
    for place in range(first, first + PLACES):
        if entries[place].key == key and entries[place].effort > 0:
            return place
    return -1


def store(entries, key, lower, upper, action, effort):
    """Store a position's bounds, replacing its own entry or else the one with the least effort."""
    first = first_place(entries, key)
    chosen = first
    for place in range(first, first + PLACES):
        if entries[place].effort > 0 and entries[place].key == key:
            chosen = place
            break
        if entries[place].effort < entries[chosen].effort:
            chosen = place
    entry = entries[chosen]
    entry.key = key
    entry.lower = lower
    entry.upper = upper
    entry.action = action
    entry.effort = effort


def bits(n):
    """Return the bit length of a number, at least 1."""
    count = 1
    while n > 1:
        n >>= 1
        count += 1
    return count


@driver
def fill(entries, kept):
    """Store every entry of another table."""
    for i in range(len(kept)):
        entry = kept[i]
        store(entries, entry.key, entry.lower, entry.upper, entry.action, entry.effort)
