"""64-bit keys of positions, equal for positions that a symmetry maps onto each other.

A key is the exclusive or of a word for the content of each point and a word for each byte of the other
relevant numbers; the key of a position is the smallest over all rotated and reflected boards. If everything
fits, each word uses its own bits, so different positions have different keys. On larger boards the words
are random (A. Zobrist, "A new hashing method with application for game playing", 1970).
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from kakomi.solve.model import Model

BITS = 64
MOST_SYMMETRIES = 12

PART = np.dtype([("number", np.int64), ("shift", np.int64), ("mask", np.int64)])
"""Up to eight bits of one of the relevant numbers."""


class Keys:
    """The words of a game's keys, for positions with at most `most_left` actions to go (None: no limit)."""

    def __init__(self, model: Model, most_left: int | None) -> None:
        self._model = model
        self._most_left = most_left
        self.parts = np.array(list(self._parts()), PART)
        self.point_words = self._words_of_points()
        self.number_words = self._words_of_numbers()
        self.left_words = self._words_of_left()

    @property
    def symmetries(self) -> int:
        """The number of symmetries in use."""
        return len(self._model.symmetries)

    @cached_property
    def is_exact(self) -> bool:
        """Whether different positions have different keys."""
        return self._bits_of_points + sum(self._model.numbers) + self._bits_of_left <= BITS

    def collision_odds(self, looked_up: int, entries: int) -> float:
        """Return an upper bound on the probability that any look-up found another position's entry."""
        return 0.0 if self.is_exact else min(1.0, looked_up * entries / 2**BITS)

    def action_maps(self) -> np.ndarray:
        """Return the images (0) and preimages (1) of actions: int16 [2, symmetries, actions]."""
        there = np.array([symmetry.actions for symmetry in self._model.symmetries], np.int16)
        return np.stack([there, np.argsort(there, axis=1).astype(np.int16)])

    @cached_property
    def _widths(self) -> np.ndarray:
        """The number of bits for the content of each point."""
        return np.array([(pieces - 1).bit_length() for pieces in self._model.pieces], np.uint64)

    @property
    def _bits_of_points(self) -> int:
        return int(self._widths.sum())

    @property
    def _bits_of_left(self) -> int:
        return 0 if self._most_left is None else self._most_left.bit_length()

    def _parts(self) -> Iterator[tuple[int, int, int]]:
        for number, bits in enumerate(self._model.numbers):
            for shift in range(0, bits, 8):
                yield number, shift, (1 << min(8, bits - shift)) - 1

    def _words_of_points(self) -> np.ndarray:
        """Return uint64 [points, pieces, symmetries]."""
        pieces, widths = max(self._model.pieces), self._widths[:, None]
        if self.is_exact:
            of_piece = np.arange(pieces, dtype=np.uint64) & ((np.uint64(1) << widths) - np.uint64(1))
            plain = of_piece << (np.cumsum(self._widths) - self._widths)[:, None]
        else:
            plain = np.where(widths > 0, _random_words(1, (len(widths), pieces)), np.uint64(0))
        maps = np.array([symmetry.points for symmetry in self._model.symmetries])
        return np.ascontiguousarray(plain[maps].transpose(1, 2, 0))

    def _words_of_numbers(self) -> np.ndarray:
        """Return uint64 [parts, 256], indexed by the part's value."""
        if not self.is_exact:
            return _random_words(2, (len(self.parts), 256))
        shift, words = self._bits_of_points, []
        for part in self.parts:
            words.append((np.arange(256, dtype=np.uint64) & np.uint64(part["mask"])) << np.uint64(shift))
            shift += int(part["mask"]).bit_length()
        return np.array(words, np.uint64).reshape(len(self.parts), 256)

    def _words_of_left(self) -> np.ndarray:
        """Return uint64 [most_left + 1], indexed by the actions left before the cut-off."""
        if self._most_left is None:
            return np.zeros(1, np.uint64)
        if self.is_exact:
            shift = self._bits_of_points + sum(self._model.numbers)
            return np.arange(self._most_left + 1, dtype=np.uint64) << np.uint64(shift)
        return _random_words(3, (self._most_left + 1,))


def _random_words(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2**BITS, shape, np.uint64, endpoint=False)
