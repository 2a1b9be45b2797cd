"""How long a game of Rings can be."""

from kakomi.core import Game


def longest(game: Game) -> int:
    """A round of passes ends the game, and so each placement, and the end, takes a round at most; a turn is
    a placement or pass, conversions that each take a stone at least, and an end (RULES G5, G6)."""
    points = game.geometry.points
    return game.players * (points + 1) * (points + 2)
