"""The record types of a game's rules: the fields common to all games, followed by a game's own.

Rules whose state includes `empty_fields` can draw an empty point in constant time. They must change stones
with the functions here, which maintain the set of empty points (`kakomi.kernel.pool`).
"""

from typing import Any

import numpy as np

from kakomi.kernel.pool import put_in, take_out
from kakomi.kernel.random import below

EMPTY = -1
"""The value of `state.stones` at an empty point."""
Field = tuple[str, Any] | tuple[str, Any, Any]
"""A name, a sized integer type, and a shape for an array."""


def board_record(*fields: Field) -> np.dtype:
    """Make the record type of a board: the counts `players`, `points` and `actions`, geometry and options."""
    return np.dtype([*((name, np.int64) for name in ("players", "points", "actions")), *fields], align=True)


def state_record(points: int, *fields: Field) -> np.dtype:
    """Make the record type of a position: `stones` (point -> player, or `EMPTY`) and `to_move`."""
    return np.dtype([("stones", np.int8, points), ("to_move", np.int8), *fields], align=True)


def scratch_record(actions: int, *fields: Field) -> np.dtype:
    """Make the record type of working space; `actions` has room for the longest list of legal actions."""
    return np.dtype([("actions", np.int16, actions), *fields], align=True)


def empty_fields(points: int) -> tuple[Field, ...]:
    """Return the state fields of the set of empty points, for boards of at most this many points."""
    kind = np.min_scalar_type(points)
    return ("empty_count", np.int16), ("empties", kind, points), ("place_in_empties", kind, points)


def clear_stones(board, state):
    """Clear all stones, including the array elements beyond a smaller board."""
    for point in range(len(state.stones)):
        state.stones[point] = EMPTY
    for point in range(board.points):  # faster than `list_empties`; every playout starts here
        state.empties[point] = point
        state.place_in_empties[point] = point
    state.empty_count = board.points


def list_empties(board, state):
    """Compute the set of empty points from the stones."""
    state.empty_count = 0
    for point in range(board.points):
        if state.stones[point] == EMPTY:
            state.empty_count = put_in(state.empties, state.place_in_empties, state.empty_count, point)


def put_stone(state, point, player):
    """Put a stone on an empty point."""
    state.stones[point] = player
    state.empty_count = take_out(state.empties, state.place_in_empties, state.empty_count, point)


def lift_stone(state, point):
    """Remove a stone."""
    state.stones[point] = EMPTY
    state.empty_count = put_in(state.empties, state.place_in_empties, state.empty_count, point)


def draw_empty(state, rng):
    """Draw a uniformly random empty point; there must be one."""
    return int(state.empties[below(rng, state.empty_count)])
