"""Rings' rules with the players in another order, as the search can play them.

Everything is Rings' own but who is next, and how many passes in succession end the game.
"""

from typing import Any

import numpy as np

from benchmarks.turn_orders.orders import ORDERS, passes_to_end, turns
from kakomi.boards import Geometry
from kakomi.core.option import Options
from kakomi.games.rings import rules as rings
from kakomi.games.rings.rules import SCRATCH, is_legal, sample, scores

__all__ = ["SCRATCH", "is_legal", "sample", "scores"]

MOST_TURNS = 1024
"""Turns whose player is listed; a later one is that of the first again."""


def _extended(record: np.dtype, *fields: Any) -> np.dtype:
    """A record type with more fields at its end."""
    known = [(name, kind.base, kind.shape) for name, (kind, *_) in (record.fields or {}).items()]
    return np.dtype([*known, *fields], align=True)


BOARD = _extended(rings.BOARD, ("players_in_order", np.int8, MOST_TURNS), ("passes_to_end", np.int64))
STATE = _extended(rings.STATE, ("turns_taken", np.int16))
IDENTITY = (*rings.IDENTITY, "turns_taken")


def build_board(board: np.void, geometry: Geometry, options: Options) -> None:
    """Rings' board, and whose turn is when."""
    rings.build_board(board, geometry, options)
    order = list(ORDERS.values())[options["order"]]
    board["players_in_order"] = turns(order, options["players"], MOST_TURNS)
    board["passes_to_end"] = passes_to_end(order, options["players"])


def reset(board, state):
    """The empty board; the first of the order begins."""
    rings.reset(board, state)
    state.turns_taken = 0


def restore(board, state, scratch):
    """The helper fields, from the stones."""
    rings.restore(board, state, scratch)


def play(board, state, scratch, action):
    """An action of Rings; after a turn comes who is next in the order."""
    rings.play(board, state, scratch, action)
    if not state.converting:
        state.turns_taken += 1
        state.to_move = board.players_in_order[state.turns_taken % MOST_TURNS]


def over(board, state):
    """Whether so many passes in succession were made that every player has passed."""
    return state.passes >= board.passes_to_end and not state.converting
