"""States of games as rows of bytes, to be kept in arrays and loaded again.

A row says which game it is of, so that it can't be loaded into another: 8 bytes that tell the game and its
options, 1 byte for a game that an illegal action ended, then the game's STATE record as it lies in memory.
"""

import hashlib
from typing import Any

import numpy as np

from kakomi.core import Game

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
