"""The symmetries of a game as far as they are known."""

from collections.abc import Sequence
from functools import lru_cache

from kakomi.core import Game
from kakomi.core.symmetry import Symmetry, identity_of


@lru_cache(maxsize=16)
def known_symmetries(game: Game) -> tuple[Symmetry, ...]:
    """Those of the game; the one that changes nothing alone if its actions don't say what becomes of them."""
    try:
        return game.symmetries
    except ValueError:
        return (identity_of(game.geometry, game.actions),)


def turn_up_to_symmetry(game: Game, turn: Sequence[int]) -> tuple[int, ...]:
    """The actions of a first turn, as the smallest of what symmetries make of them; the order within a turn
    of placements alone is left out."""
    kinds = {game.actions[action].kind for action in turn}
    images = (tuple(symmetry.actions[action] for action in turn) for symmetry in known_symmetries(game))
    return min(tuple(sorted(image)) if kinds == {"place"} else image for image in images)
