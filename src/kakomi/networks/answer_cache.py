"""A cache of a network's answers: different orders of the same actions lead to the same position.

In a search of 600 simulations per action, from a fifth to two fifths of all positions have been evaluated
before; with more simulations, more (docs/networks.md).
"""

from typing import NamedTuple

import numpy as np

from kakomi.kernel.random import xorshift

CACHE_MB = 32.0
"""The memory for one evaluator's answers; the system only allocates it as it fills."""
_EVEN, _ODD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
"""Initial values of keys, so that no key is 0, which marks an empty place."""


class AnswerCache(NamedTuple):
    """A hash table of answers by the key of their inputs; a new answer overwrites an old one in its place."""

    keys: np.ndarray
    """uint64 [N, 2]: the keys of the inputs; N is 0 for a cache that stores nothing."""
    answers: np.ndarray
    """float32 [N, M]: the answers to them."""


def answer_cache(length: int, megabytes: float) -> AnswerCache:
    """An empty cache for answers of `length` numbers."""
    count = int(megabytes * 2**20) // (4 * length + 16)
    return AnswerCache(np.zeros((count, 2), np.uint64), np.zeros((count, length), np.float32))


def key_of(planes, scalars):
    """The key of inputs: a hash of 2 × 64 bits.

    `planes` is uint32 [W], the bits of all board inputs, and `scalars`, uint32 [S], those of the inputs about
    the whole game. One half hashes the planes' numbers at even indices and the other all the rest, so that
    neither computation waits for the other.
    """
    even, odd = _EVEN, _ODD
    for k in range(0, len(planes) - 1, 2):
        even = xorshift(even ^ np.uint64(planes[k]))
        odd = xorshift(odd ^ np.uint64(planes[k + 1]))
    if len(planes) % 2 == 1:
        even = xorshift(even ^ np.uint64(planes[len(planes) - 1]))
    for k in range(len(scalars)):
        odd = xorshift(odd ^ np.uint64(scalars[k]))
    return even, odd


def recall(cache, key, answer):
    """Copy the answer for a key into `answer` if it is cached, and return whether it is."""
    if len(cache.keys) == 0:
        return False
    place = _place(cache, key)
    if cache.keys[place, 0] != key[0] or cache.keys[place, 1] != key[1]:
        return False
    for k in range(len(answer)):
        answer[k] = cache.answers[place, k]
    return True


def remember(cache, key, answer):
    """Store the answer for a key."""
    if len(cache.keys) == 0:
        return
    place = _place(cache, key)
    cache.keys[place, 0], cache.keys[place, 1] = key
    for k in range(len(answer)):
        cache.answers[place, k] = answer[k]


def _place(cache, key):
    return int((key[0] ^ (key[1] >> np.uint64(1))) % np.uint64(len(cache.keys)))
