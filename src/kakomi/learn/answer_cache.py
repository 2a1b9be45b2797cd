"""Answers of a network that are remembered: other orders of the same actions lead to the same position.

In a search by 600 simulations an action, from a fifth to two fifths of all positions have been evaluated
before, and with more simulations more (docs/networks.md).
"""

from typing import NamedTuple

import numpy as np

from kakomi.kernel.random import xorshift

CACHE_MB = 32.0
"""Memory for the answers of one evaluator; taken only as it fills."""
_EVEN, _ODD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
"""What keys begin with, so that none is that of a place which holds nothing, 0."""


class AnswerCache(NamedTuple):
    """Answers by the key of their inputs, which tells the place; a newer answer takes an older one's."""

    keys: np.ndarray
    """uint64 [N, 2]: of which inputs; N may be 0, for a cache that keeps nothing."""
    answers: np.ndarray
    """float32 [N, M]."""


def answer_cache(length: int, megabytes: float) -> AnswerCache:
    """A cache for answers of so many numbers."""
    count = int(megabytes * 2**20) // (4 * length + 16)
    return AnswerCache(np.zeros((count, 2), np.uint64), np.zeros((count, length), np.float32))


def key_of(planes, scalars):
    """The key of inputs: two times 64 bits, which other inputs have by accident alone.

    `planes` is uint32 [W], the bits of all numbers over the board, and `scalars`, uint32 [S], those of the
    numbers about the game as a whole. One half is that of the numbers in even places, and one of the others:
    neither then waits for the other.
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
    """Write the answer that a key has, if it is known; whether it is."""
    if len(cache.keys) == 0:
        return False
    place = _place(cache, key)
    if cache.keys[place, 0] != key[0] or cache.keys[place, 1] != key[1]:
        return False
    for k in range(len(answer)):
        answer[k] = cache.answers[place, k]
    return True


def remember(cache, key, answer):
    """Keep the answer that a key has."""
    if len(cache.keys) == 0:
        return
    place = _place(cache, key)
    cache.keys[place] = key
    for k in range(len(answer)):
        cache.answers[place, k] = answer[k]


def _place(cache, key):
    return int((key[0] ^ (key[1] >> np.uint64(1))) % np.uint64(len(cache.keys)))
