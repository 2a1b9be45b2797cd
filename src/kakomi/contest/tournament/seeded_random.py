"""Chance from a seed: the same in every process and on every machine."""

import hashlib
from collections.abc import Iterable
from random import Random


def lot(seed: int, *parts: object) -> int:
    """A number of 64 bits that follows from the seed and what it is drawn for."""
    text = "\0".join(map(str, (seed, *parts)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def by_lot(names: Iterable[str], seed: int, *parts: object) -> list[str]:
    """Names in an order by lot, which doesn't depend on the order in which they come."""
    return sorted(names, key=lambda name: (lot(seed, *parts, name), name))


def generator(seed: int, *parts: object) -> Random:
    """A generator of random numbers that follows from the seed and what it is for."""
    return Random(lot(seed, *parts))
