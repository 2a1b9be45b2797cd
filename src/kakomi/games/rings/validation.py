"""Checks that a state may be in the part of conversions in Rings."""

import numpy as np

from kakomi.core import Game
from kakomi.core.game import bare


def validate_state(game: Game, state: np.void) -> str | None:
    """A player who is converting could also convert after a pass on the same board (RULES G5)."""
    if state["converting"] and not bare(game, state).play("pass").state["converting"]:
        name = game.player_names[state["to_move"]]
        return f"converting can't be 1: {name} has no circle to convert (RULES G5)"
    return None
