"""The arrays that a vector environment works on, and game states as rows of bytes, which can be stored and
loaded again.

A row can only be loaded into the same game: it has an 8-byte hash of the game and its options, 1 byte that
says whether an illegal action ended the game, then the bytes of the game's STATE record.
"""

import hashlib
import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from kakomi.core import Game
from kakomi.kernel import random_state
from kakomi.research.modes import whole
from kakomi.research.observation import ObservationSpec

ALIGNMENT = 64
"""Alignment in bytes. JAX copies arrays that are aligned otherwise."""


@dataclass(frozen=True)
class Buffers:
    """The results of a step of n games in C-contiguous arrays, which may be the caller's own.

    Every step overwrites them. PyTorch and JAX can share them without a copy, as by
    `torch.from_dlpack(buffers.observations)`.
    """

    observations: np.ndarray
    """float32 (n, planes, height, width): the observation of the player to act."""
    masks: np.ndarray
    """bool (n, actions): which actions are legal; none if a game is over."""
    rewards: np.ndarray
    """float32 (n, players): the returns of a game that the last step ended (their sum is 0), otherwise 0."""
    done: np.ndarray
    """bool (n): whether the last step ended the game."""
    to_move: np.ndarray
    """int8 (n): the player to act."""

    @staticmethod
    def kinds(game: Game, spec: ObservationSpec, n: int) -> dict[str, tuple[tuple[int, ...], type]]:
        """The shape and type of each array by name."""
        return {
            "observations": ((n, *spec.shape), np.float32),
            "masks": ((n, len(game.actions)), np.bool_),
            "rewards": ((n, game.players), np.float32),
            "done": ((n,), np.bool_),
            "to_move": ((n,), np.int8),
        }

    @staticmethod
    def empty(game: Game, spec: ObservationSpec, n: int) -> "Buffers":
        """New zeroed buffers, aligned so that JAX can share them too."""
        return Buffers(**{name: aligned(*kind) for name, kind in Buffers.kinds(game, spec, n).items()})

    def check(self, game: Game, spec: ObservationSpec, n: int) -> None:
        """Raise ValueError unless all arrays have the right shapes and types, and are writable and
        C-contiguous."""
        kinds = Buffers.kinds(game, spec, n)
        for name in (field.name for field in fields(self)):
            array, (shape, kind) = getattr(self, name), kinds[name]
            wanted = f"a writable C-contiguous {np.dtype(kind).name} array of shape {shape}"
            if not isinstance(array, np.ndarray):
                raise ValueError(f"{name} is a {type(array).__name__}; it must be {wanted}")
            flags = array.flags
            if array.shape != shape or array.dtype != kind or not (flags.c_contiguous and flags.writeable):
                raise ValueError(f"{name} is {array.dtype.name} {array.shape}; it must be {wanted}")

    def __deepcopy__(self, memo: object) -> "Buffers":
        return Buffers(*(aligned_copy(getattr(self, field.name)) for field in fields(self)))

    def __reduce__(self) -> tuple[object, ...]:
        return _buffers_from, tuple(getattr(self, field.name) for field in fields(self))


def _buffers_from(*arrays: np.ndarray) -> Buffers:
    """Rebuild pickled buffers with aligned arrays."""
    return Buffers(*map(aligned_copy, arrays))


def aligned(shape: tuple[int, ...], kind: type | np.dtype) -> np.ndarray:
    """Zeros at an address that is a multiple of `ALIGNMENT`, which NumPy doesn't guarantee."""
    size = math.prod(shape) * np.dtype(kind).itemsize
    space = np.zeros(size + ALIGNMENT, np.uint8)
    first = -space.ctypes.data % ALIGNMENT
    return space[first : first + size].view(kind).reshape(shape)


def aligned_copy(array: np.ndarray) -> np.ndarray:
    """An aligned copy of an array."""
    copied = aligned(array.shape, array.dtype)
    copied[...] = array
    return copied


def random_states(seed: int, n: int) -> np.ndarray:
    """A random generator for each of n games (uint64, n, 1), distinct for every seed below 2**32."""
    seed = whole("seed", seed)
    return np.array([random_state((seed << 32) + i) for i in range(n)])


_HEAD = 9
"""The number of bytes before the state."""


def row_size(game: Game) -> int:
    """The number of bytes in a row."""
    return _HEAD + int(game.description.rules.STATE.itemsize)


def state_bytes(states: np.ndarray) -> np.ndarray:
    """A view of n states as bytes, uint8 (n, bytes of a state)."""
    return states.view(np.uint8).reshape(len(states), states.dtype.itemsize)


def pack(game: Game, states: np.ndarray, forfeited: np.ndarray) -> np.ndarray:
    """Pack the bytes of k states, and whether each was forfeited, into new rows, uint8 (k, bytes)."""
    rows = np.empty((len(states), row_size(game)), np.uint8)
    rows[:, : _HEAD - 1] = _label(game)
    rows[:, _HEAD - 1] = forfeited
    rows[:, _HEAD:] = states
    return rows


def unpack(game: Game, rows: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The bytes of k states, and whether each was forfeited. Raises ValueError unless there are k rows of
    this game.

    The states themselves aren't validated: rows must come from `pack`.
    """
    given = np.asarray(rows)
    shape = (k, row_size(game))
    if given.shape != shape or given.dtype != np.uint8:
        raise ValueError(f"states are {given.dtype.name} {given.shape}; they must be uint8 {shape}")
    others = (given[:, : _HEAD - 1] != _label(game)).any(axis=1)
    if others.any():
        raise ValueError(f"row {int(others.argmax())} of states is of another game than {game!r}")
    return given[:, _HEAD:], given[:, _HEAD - 1] != 0


def _label(game: Game) -> np.ndarray:
    told = repr((game.name, sorted(game.options.items())))
    return np.frombuffer(hashlib.blake2b(told.encode(), digest_size=_HEAD - 1).digest(), np.uint8)
