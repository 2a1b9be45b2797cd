"""What a state may hold that didn't come from play: rules index arrays by it, so it is looked at first."""

from typing import TYPE_CHECKING, Any

import numpy as np

from kakomi.core.wording import range_in_words
from kakomi.kernel.records import EMPTY

if TYPE_CHECKING:
    from kakomi.core.game import Game
    from kakomi.core.position import Position


def check_state(game: "Game", states: np.ndarray) -> None:
    """Raises ValueError if the rules can't go on from what the identity fields hold, saying why."""
    validation = game.description.validation
    reason = _impossible_players(game, states[0]) or _beyond_ranges(game, states[0])
    if reason is None and validation is not None:
        reason = validation.validate_state(game, states[0])
    if reason is not None:
        raise ValueError(f"no position of {game!r}: {reason}")


def _impossible_players(game: "Game", state: np.void) -> str | None:
    """Every game has these two fields; beside the board `stones` holds what it held at the start."""
    stones, points, players = state["stones"], game.geometry.points, range(game.players)
    for stone in (int(stones[:points].min()), int(stones[:points].max())):
        if stone != EMPTY and stone not in range(game.players * game.kinds):
            if game.kinds > 1:
                return (
                    f"there is a piece {stone}; pieces are {range_in_words(range(game.players * game.kinds))}"
                )
            return f"there is a stone of player {stone}; players are {range_in_words(players)}"
    if int(state["to_move"]) not in players:
        return f"player {state['to_move']} is to act; players are {range_in_words(players)}"
    if (stones[points:] != game.start().state["stones"][points:]).any():
        return "there are stones beside the board"
    return None


def _beyond_ranges(game: "Game", state: np.void) -> str | None:
    """The first field that holds what its game's `RANGES` don't allow."""
    ranges = getattr(game.description.rules, "RANGES", {}).items()
    found = (out_of_range(state, name, known(game) if callable(known) else known) for name, known in ranges)
    return next(filter(None, found), None)


def out_of_range(state: np.void, name: str, allowed: range) -> str | None:
    """For games' `validate_state`: what is wrong if a field holds a number that isn't allowed, else None."""
    for number in state[name].reshape(-1).tolist():
        if number not in allowed:
            return f"{name} can't be {number}: it may be {range_in_words(allowed)}"
    return None


def bare(game: "Game", state: np.void) -> "Position":
    """For games' `validate_state`: a state's stones and player to act, with all else as at the start."""
    states = game.start().states()
    for name in ("stones", "to_move"):
        states[name] = state[name]
    return game.restored(states)


def set_field(states: np.ndarray, name: str, values: Any) -> None:
    """Write a number, or as many as the field has. Raises ValueError for one that it can't hold."""
    bounds = np.iinfo(states[name].dtype)
    for number in np.ravel(np.asarray(values, object)):
        if not bounds.min <= number <= bounds.max:
            raise ValueError(f"{name} can't be {number}: it holds numbers from {bounds.min} to {bounds.max}")
    states[name][0] = values
