"""Checks of positions of Tercet that were read or set up by hand."""

from kakomi.core.game import out_of_range
from kakomi.kernel.records import EMPTY
from kakomi_tercet.rules import NOTHING, PLAYERS


def validate_state(game, state):
    """Find what is wrong with a state: the rules rely on a valid last stone and room for the stones in
    hand."""
    supply, on_board = PLAYERS * game.options["stones"], int((state["stones"] != EMPTY).sum())
    return (
        out_of_range(state, "tercet_placed", range(NOTHING, game.geometry.points))
        or out_of_range(state, "removed", range(supply + 1))
        or out_of_range(state, "unplaced", range(max(0, supply - on_board) + 1))
    )
