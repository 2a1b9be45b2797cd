"""The record types of a game's rules: what all games' have, and a game's own fields behind that.

Rules whose state has `empty_fields` can draw an empty point in constant time. They change their stones by the
functions here, which keep the empty points as a set (`kakomi.kernel.pool`).
"""

from typing import Any

import numpy as np

from kakomi.kernel.pool import put_in, take_out
from kakomi.kernel.random import below

EMPTY = -1
"""What `state.stones` holds at a point without a stone."""
Field = tuple[str, Any] | tuple[str, Any, Any]
"""A name, a type of sized integers, and a shape if it holds several."""


def board_record(*fields: Field) -> np.dtype:
    """Geometry and options, built once a game: `players`, `points` and `actions` are how many there are."""
    return np.dtype([*((name, np.int64) for name in ("players", "points", "actions")), *fields], align=True)


def state_record(points: int, *fields: Field) -> np.dtype:
    """A position: `stones` (point -> player, or `EMPTY`) and `to_move`, the player to act."""
    return np.dtype([("stones", np.int8, points), ("to_move", np.int8), *fields], align=True)


def scratch_record(actions: int, *fields: Field) -> np.dtype:
    """Working space, in which `actions` holds the longest list of legal actions."""
    return np.dtype([("actions", np.int16, actions), *fields], align=True)


def empty_fields(points: int) -> tuple[Field, ...]:
    """The fields of a state for the set of empty points, on boards of up to so many points."""
    kind = np.min_scalar_type(points)
    return ("empty_count", np.int16), ("empties", kind, points), ("place_in_empties", kind, points)


def clear_stones(board, state):
    """No stones on the board, nor on the points beyond it that a larger one has."""
    for point in range(len(state.stones)):
        state.stones[point] = EMPTY
    for point in range(board.points):  # without a look at the board, as every playout begins here
        state.empties[point] = point
        state.place_in_empties[point] = point
    state.empty_count = board.points


def list_empties(board, state):
    """Work out the set from the stones."""
    state.empty_count = 0
    for point in range(board.points):
        if state.stones[point] == EMPTY:
            state.empty_count = put_in(state.empties, state.place_in_empties, state.empty_count, point)


def put_stone(state, point, player):
    """Put a stone on an empty point."""
    state.stones[point] = player
    state.empty_count = take_out(state.empties, state.place_in_empties, state.empty_count, point)


def lift_stone(state, point):
    """Take a stone off."""
    state.stones[point] = EMPTY
    state.empty_count = put_in(state.empties, state.place_in_empties, state.empty_count, point)


def draw_empty(state, rng):
    """An empty point, each with equal probability; there must be one."""
    return int(state.empties[below(rng, state.empty_count)])
