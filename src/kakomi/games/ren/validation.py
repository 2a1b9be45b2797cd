"""Checks that the weak stones are possible in Ren."""

import numpy as np

from kakomi.core import Game
from kakomi.games.ren.rules import NOWHERE


def validate_state(game: Game, state: np.void) -> str | None:
    """Weak stones are the enemy's, and there are none once the limit is reached (RULES N5, N6)."""
    squares = state["rui"].tolist()
    weak = sorted(set(squares) - {NOWHERE})
    if squares != weak + [NOWHERE] * (len(squares) - len(weak)):
        return f"rui can't be {squares}: squares ascend, and {NOWHERE} follows"
    if weak and state["replacements"] == game.options["rui_limit"]:
        return "no stone is weak when the rui limit is reached (RULES N6)"
    scorer = 1 - int(state["to_move"])
    for point in weak:
        if not 0 <= point < game.geometry.points or state["stones"][point] != scorer:
            return f"rui can't hold {point}: no stone of {game.player_names[scorer]} is there (RULES N5)"
    return None
