"""The symmetries of a game as far as they are known."""

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
