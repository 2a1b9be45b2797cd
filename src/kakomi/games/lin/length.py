"""How long a game of Lin can be."""

from kakomi.core import Game


def longest(game: Game) -> int:
    """A stone on a contested point takes that point out of contest for good; one within a territory
    removes nothing, so that between two of the first kind fewer stones than there are points can go on the
    board, and the game is over when nothing is contested (RULES L4, L6)."""
    return game.geometry.points**2
