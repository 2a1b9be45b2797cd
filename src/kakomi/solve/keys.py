"""Keys of positions: 64 bits, the same for all positions that a symmetry maps onto each other.

A key is the exclusive or of a word for what is on each point and a word for each byte of the other
numbers that matter; of the keys of all turned and mirrored boards the smallest counts. Where everything
fits, each word has bits of its own, so that different positions never have the same key. On larger boards
words are random (A. Zobrist, "A new hashing method with application for game playing", 1970).
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from kakomi.solve.model import Model

BITS = 64
MOST_SYMMETRIES = 12

PART = np.dtype([("number", np.int64), ("shift", np.int64), ("mask", np.int64)])
"""Up to eight bits of one of the numbers that matter."""


class Keys:
    """The words of a game's keys, for positions with at most `most_left` actions to go (None: any)."""

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
        """An upper bound on the chance that one of so many look-ups found another position's entry."""
        return 0.0 if self.is_exact else min(1.0, looked_up * entries / 2**BITS)

    def action_maps(self) -> np.ndarray:
        """Action numbers by symmetry, there (0) and back (1)."""
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
        """uint64 by point, piece and symmetry."""
        pieces, widths = max(self._model.pieces), self._widths[:, None]
        if self.is_exact:
            of_piece = np.arange(pieces, dtype=np.uint64) & ((np.uint64(1) << widths) - np.uint64(1))
            plain = of_piece << (np.cumsum(self._widths) - self._widths)[:, None]
        else:
            plain = np.where(widths > 0, _random_words(1, (len(widths), pieces)), np.uint64(0))
        maps = np.array([symmetry.points for symmetry in self._model.symmetries])
        return np.ascontiguousarray(plain[maps].transpose(1, 2, 0))

    def _words_of_numbers(self) -> np.ndarray:
        """uint64 by part and its value."""
        if not self.is_exact:
            return _random_words(2, (len(self.parts), 256))
        shift, words = self._bits_of_points, []
        for part in self.parts:
            words.append((np.arange(256, dtype=np.uint64) & np.uint64(part["mask"])) << np.uint64(shift))
            shift += int(part["mask"]).bit_length()
        return np.array(words, np.uint64).reshape(len(self.parts), 256)

    def _words_of_left(self) -> np.ndarray:
        """uint64 by how many actions are left before the game is cut off."""
        if self._most_left is None:
            return np.zeros(1, np.uint64)
        if self.is_exact:
            shift = self._bits_of_points + sum(self._model.numbers)
            return np.arange(self._most_left + 1, dtype=np.uint64) << np.uint64(shift)
        return _random_words(3, (self._most_left + 1,))


def _random_words(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2**BITS, shape, np.uint64, endpoint=False)
