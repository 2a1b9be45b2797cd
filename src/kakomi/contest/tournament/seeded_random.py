"""Reproducible randomness from a seed, the same in every process and on every machine."""

import hashlib
from collections.abc import Iterable
from random import Random


def lot(seed: int, *parts: object) -> int:
    """Return a 64-bit hash of the seed and of the parts, which say what it is drawn for."""
    text = "\0".join(map(str, (seed, *parts)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def by_lot(names: Iterable[str], seed: int, *parts: object) -> list[str]:
    """Return names in random order, independent of the order in which they are given."""
    return sorted(names, key=lambda name: (lot(seed, *parts, name), name))


def generator(seed: int, *parts: object) -> Random:
    """Return a random generator seeded by the seed and the parts, which say what it is for."""
    return Random(lot(seed, *parts))
