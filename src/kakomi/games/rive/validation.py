"""Checks that a capture in progress is possible in Rive."""

import numpy as np

from kakomi.core import Game
from kakomi.core.game import bare, out_of_range
from kakomi.games.rive.rules import NOWHERE


def validate_state(game: Game, state: np.void) -> str | None:
    """A capture shrinks a group on the board to one stone more than a joined group had (RULES V4)."""
    excess, shrinking = int(state["excess"]), int(state["shrinking"])
    if excess == 0:
        return None if shrinking == NOWHERE else f"shrinking can't be {shrinking} while excess is 0"
    if reason := out_of_range(state, "shrinking", range(game.geometry.points)):
        return reason
    helpers = bare(game, state).state
    size = int(helpers["group_sizes"][helpers["rive_groups"][shrinking]])
    if size == 0:
        return f"shrinking can't be {shrinking}: no stone is there"
    if not 1 <= excess <= size - 2:
        return f"excess can't be {excess}: that many stones of a group of {size} are never removed (RULES V4)"
    return None
