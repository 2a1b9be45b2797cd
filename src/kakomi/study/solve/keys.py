"""Keys of positions: 64 bits, the same for all positions that a symmetry maps onto each other.

A key is the exclusive or of a word for what is on each point and a word for each byte of the other
numbers that matter; of the keys of all turned and mirrored boards the smallest counts. Where everything
fits, each word has bits of its own, so that different positions never have the same key. On larger boards
words are random (A. Zobrist, "A new hashing method with application for game playing", 1970).
"""

from functools import cached_property

import numpy as np

from kakomi.core import Game
from kakomi.core.solving import Solving
from kakomi.core.symmetry import identity_of

BITS = 64
MOST_SYMMETRIES = 12


class Keys:
    """The words of a game's keys, for positions with at most `most_left` actions to go (None: any)."""

    def __init__(self, game: Game, solving: Solving, most_left: int | None) -> None:
        self._game, self._solving = game, solving
        self._most_left = most_left
        self._maps = game.symmetries if solving.symmetric else (identity_of(game.geometry, game.actions),)
        self.words = self._words_of_points()
        self.number_places, self.number_masks, self.number_words = self._numbers()
        self.left_words = self._words_of_left()

    @property
    def symmetries(self) -> int:
        """How many symmetries are made use of."""
        return len(self._maps)

    @cached_property
    def is_exact(self) -> bool:
        """Whether different positions have different keys."""
        return self._bits_of_points + sum(bits for _, bits in self._bytes) + self._bits_of_left <= BITS

    def collision_odds(self, looked_up: int, entries: int) -> float:
        """An upper bound on the chance that one of so many look-ups found another position's entry."""
        return 0.0 if self.is_exact else min(1.0, looked_up * entries / 2**BITS)

    def action_maps(self) -> np.ndarray:
        """Action numbers by symmetry, there (0) and back (1)."""
        there = np.array([symmetry.actions for symmetry in self._maps], np.int16)
        return np.stack([there, np.argsort(there, axis=1).astype(np.int16)])

    @cached_property
    def _widths(self) -> list[int]:
        return self._solving.widths_of(self._game)

    @property
    def _bits_of_points(self) -> int:
        return sum(self._widths)

    @property
    def _bits_of_left(self) -> int:
        return 0 if self._most_left is None else self._most_left.bit_length()

    @cached_property
    def _bytes(self) -> list[tuple[int, int]]:
        """Where each byte that matters lies in a state, and how many of its bits do."""
        state = self._solving.rules.STATE
        found = []
        for name, bits in self._solving.numbers.items():
            place = state.fields[name][1]
            left = bits or self._game.geometry.points.bit_length()
            while left > 0:
                found.append((place, min(8, left)))
                place, left = place + 1, left - 8
        return found

    def _words_of_points(self) -> np.ndarray:
        """By point, piece + 1 and symmetry."""
        pieces = self._solving.pieces_of(self._game) + 1
        widths = np.array(self._widths, np.uint64)
        if self.is_exact:
            of_piece = np.arange(pieces, dtype=np.uint64) & ((np.uint64(1) << widths) - np.uint64(1))[:, None]
            plain = of_piece << (np.cumsum(widths) - widths)[:, None]
        else:
            plain = np.where(widths[:, None] > 0, _random_words(1, (len(widths), pieces)), np.uint64(0))
        maps = np.array([symmetry.points for symmetry in self._maps])
        return np.ascontiguousarray(plain[maps].transpose(1, 2, 0))

    def _numbers(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places and masks of the bytes that matter, and their words by byte and value."""
        places = np.array([place for place, _ in self._bytes], np.int64)
        masks = np.array([(1 << bits) - 1 for _, bits in self._bytes], np.int64)
        values = np.arange(256, dtype=np.uint64)
        if not self.is_exact:
            return places, masks, _random_words(2, (len(places), 256))
        shift, words = self._bits_of_points, []
        for _, bits in self._bytes:
            words.append((values & np.uint64((1 << bits) - 1)) << np.uint64(shift))
            shift += bits
        return places, masks, np.array(words, np.uint64).reshape(len(places), 256)

    def _words_of_left(self) -> np.ndarray:
        """By how many actions are left before the game is cut off."""
        if self._most_left is None:
            return np.zeros(1, np.uint64)
        if self.is_exact:
            shift = self._bits_of_points + sum(bits for _, bits in self._bytes)
            return np.arange(self._most_left + 1, dtype=np.uint64) << np.uint64(shift)
        return _random_words(3, (self._most_left + 1,))


def _random_words(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2**BITS, shape, np.uint64, endpoint=False)
