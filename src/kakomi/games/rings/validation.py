"""How far a turn of Rings can have come, and how near the end is."""

import numpy as np

from kakomi.core import Game
from kakomi.core.validation import bare, out_of_range


def validate_state(game: Game, state: np.void) -> str | None:
    """Who is to convert has something to convert (RULES G5); rounds of passes end the game (G6)."""
    reason = out_of_range(state, "converting", range(2)) or out_of_range(
        state, "passes", range(game.players + 1)
    )
    if reason is None and state["converting"] and not _can_convert(game, state):
        name = game.player_names[state["to_move"]]
        return f"converting can't be 1: {name} has no circle to convert (RULES G5)"
    return reason


def _can_convert(game: Game, state: np.void) -> bool:
    """Whether conversions would follow if the same player passed on the same board."""
    return bool(bare(game, state).play("pass").state["converting"])
