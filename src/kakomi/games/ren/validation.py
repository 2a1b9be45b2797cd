"""What can have been counted in Ren, and which stones can be weak."""

import numpy as np

from kakomi.core import Game
from kakomi.core.validation import out_of_range
from kakomi.games.ren.rules import NOWHERE

MOST_POINTS = 2**30  # half of what the field holds: nobody scores the other half


def validate_state(game: Game, state: np.void) -> str | None:
    """Counters stay where the rules stop them (RULES N4, N6, N10), and weak stones are the enemy's (N5)."""
    return (
        out_of_range(state, "points", range(MOST_POINTS + 1))
        or out_of_range(state, "replacements", range(game.options["rui_limit"] + 1))
        or out_of_range(state, "passes", range(3))
        or out_of_range(state, "nine_box", range(2))
        or _impossible_rui(game, state)
    )


def _impossible_rui(game: Game, state: np.void) -> str | None:
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
