"""When conversions can be under way in Rings."""

import numpy as np

from kakomi.core import Game
from kakomi.core.validation import bare


def validate_state(game: Game, state: np.void) -> str | None:
    """Who is to convert could if the same player passed on the same board (RULES G5)."""
    if state["converting"] and not bare(game, state).play("pass").state["converting"]:
        name = game.player_names[state["to_move"]]
        return f"converting can't be 1: {name} has no circle to convert (RULES G5)"
    return None
