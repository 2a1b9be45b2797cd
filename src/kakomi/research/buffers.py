"""The arrays that a vector environment works on, and states of games as rows of bytes, to be kept in arrays
and loaded again.

A row says which game it is of, so that it can't be loaded into another: 8 bytes that tell the game and its
options, 1 byte for a game that an illegal action ended, then the game's STATE record as it lies in memory.
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
"""Bytes. JAX copies what begins anywhere else in memory."""


@dataclass(frozen=True)
class Buffers:
    """The results of a step of n games: C-contiguous arrays that belong to whoever made them.

    They are written over with every step. PyTorch and JAX take them without a copy, by
    `torch.from_dlpack(buffers.observations)` and the like.
    """

    observations: np.ndarray
    """float32 (n, planes, height, width): the observation of the player to act."""
    masks: np.ndarray
    """bool (n, actions): which actions are legal; none when a game is over."""
    rewards: np.ndarray
    """float32 (n, players): the returns of a game that the last step ended (their sum is 0), else 0."""
    done: np.ndarray
    """bool (n): whether the last step ended the game."""
    to_move: np.ndarray
    """int8 (n): the player to act."""

    @staticmethod
    def kinds(game: Game, spec: ObservationSpec, n: int) -> dict[str, tuple[tuple[int, ...], type]]:
        """The shape and the type that each of them has."""
        return {
            "observations": ((n, *spec.shape), np.float32),
            "masks": ((n, len(game.actions)), np.bool_),
            "rewards": ((n, game.players), np.float32),
            "done": ((n,), np.bool_),
            "to_move": ((n,), np.int8),
        }

    @staticmethod
    def empty(game: Game, spec: ObservationSpec, n: int) -> "Buffers":
        """New ones, aligned so that JAX too can share them."""
        return Buffers(**{name: aligned(*kind) for name, kind in Buffers.kinds(game, spec, n).items()})

    def check(self, game: Game, spec: ObservationSpec, n: int) -> None:
        """Raises ValueError if one of them can't be written into as it must be."""
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
    """Pickled buffers: their arrays come back wherever in memory there was room."""
    return Buffers(*map(aligned_copy, arrays))


def aligned(shape: tuple[int, ...], kind: type | np.dtype) -> np.ndarray:
    """Zeros from an address that `ALIGNMENT` divides; NumPy promises less."""
    size = math.prod(shape) * np.dtype(kind).itemsize
    space = np.zeros(size + ALIGNMENT, np.uint8)
    first = -space.ctypes.data % ALIGNMENT
    return space[first : first + size].view(kind).reshape(shape)


def aligned_copy(array: np.ndarray) -> np.ndarray:
    """The same numbers in new memory, aligned."""
    copied = aligned(array.shape, array.dtype)
    copied[...] = array
    return copied


def random_states(seed: int, n: int) -> np.ndarray:
    """A generator for each of n games (uint64, n, 1), other ones for every seed below 2**32."""
    seed = whole("seed", seed)
    return np.array([random_state((seed << 32) + i) for i in range(n)])


_HEAD = 9
"""Bytes before the state."""


def row_size(game: Game) -> int:
    """Bytes of a row."""
    return _HEAD + int(game.description.rules.STATE.itemsize)


def state_bytes(states: np.ndarray) -> np.ndarray:
    """The bytes of n states, uint8 (n, bytes of a state): a view."""
    return states.view(np.uint8).reshape(len(states), states.dtype.itemsize)


def pack(game: Game, states: np.ndarray, forfeited: np.ndarray) -> np.ndarray:
    """Rows, uint8 (k, bytes), of the bytes of k states and of whether each was forfeited; a new array."""
    rows = np.empty((len(states), row_size(game)), np.uint8)
    rows[:, : _HEAD - 1] = _label(game)
    rows[:, _HEAD - 1] = forfeited
    rows[:, _HEAD:] = states
    return rows


def unpack(game: Game, rows: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The bytes of k states, and whether each was forfeited. Raises ValueError unless there are k rows of
    this game.

    The content of rows is trusted: only `pack` may have written it.
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
