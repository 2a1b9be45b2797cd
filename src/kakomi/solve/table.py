"""The transposition table: bounds on values of positions in bounded memory.

Compiled functions; `Table` is the memory that they work on. A position has four places where it may be
kept; the one with the smallest search behind it makes room (D. Breuker, J. Uiterwijk and J. van den
Herik, "Replacement schemes for transposition tables", 1994).
"""

from collections.abc import Iterator

import numpy as np

from kakomi.kernel import driver

PLACES = 4
"""Entries that lie side by side in memory (one cache line)."""
SAMPLE = 1 << 12
PART = 1 << 20
UNBOUNDED = 30_000
"""Above any margin."""
NO_ACTION = -1

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("lower", np.int16),
        ("upper", np.int16),
        ("action", np.int16),  # that proved it, on the board turned so that the key is smallest
        ("effort", np.int16),  # bits of the number of positions searched for it; 0: nothing is here
    ],
    align=True,
)


class Table:
    """The number of entries that fit into some memory (MB, of 2**20 bytes)."""

    def __init__(self, memory_mb: float) -> None:
        groups = max(1, int(memory_mb * 2**20) // (PLACES * ENTRY.itemsize))
        if groups >= 2**32:
            raise ValueError(f"{memory_mb} MB are more than the table can use, which is 256 GB")
        self.entries = np.zeros(groups * PLACES, ENTRY)

    def part_in_use(self) -> float:
        """About which part of the places is in use, from 0 to 1: of the first ones, any being as likely."""
        return float((self.entries["effort"][:SAMPLE] > 0).mean())

    def kept(self) -> Iterator[np.ndarray]:
        """The entries in use, in parts."""
        for start in range(0, len(self.entries), PART):
            part = self.entries[start : start + PART]
            yield part[part["effort"] > 0]

    def take_in(self, kept: np.ndarray) -> None:
        """Add entries, of a table of any size."""
        fill(self.entries, kept)


def first_place(entries, key):
    """The first place of a key. (Without multiplication, which would overflow interpreted.)"""
    x = key ^ (key >> np.uint64(29))
    x ^= x << np.uint64(21)
    x ^= x >> np.uint64(35)
    x ^= x << np.uint64(4)
    x ^= x >> np.uint64(31)
    x ^= x << np.uint64(17)
    groups = np.uint64(len(entries) // PLACES)
    return int(((x >> np.uint64(32)) * groups) >> np.uint64(32)) * PLACES


def find(entries, key):
    """The place of a key, or -1."""
    first = first_place(entries, key)
    for place in range(first, first + PLACES):
        if entries[place].key == key and entries[place].effort > 0:
            return place
    return -1


def keep(entries, key, lower, upper, action, effort):
    """Store the bounds of a position over its old ones, or over the least valuable in its places."""
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
    """The number of bits of a number, at least 1."""
    count = 1
    while n > 1:
        n >>= 1
        count += 1
    return count


@driver
def fill(entries, kept):
    """Keep every entry of another table."""
    for i in range(len(kept)):
        entry = kept[i]
        keep(entries, entry.key, entry.lower, entry.upper, entry.action, entry.effort)
