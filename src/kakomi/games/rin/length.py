"""How long a game of Rin can be."""

from kakomi.core import Game


def longest(game: Game) -> int:
    """Every stone takes an empty point, and no point is emptied again (RULES R3)."""
    return game.geometry.points
