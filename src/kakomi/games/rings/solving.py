"""Rings for a solver: the stones, whose turn it is and how far, and the passes in succession say all."""

from kakomi.core import Game
from kakomi.core.solving import Solving
from kakomi.games.rings import rules


def solving(game: Game) -> Solving:
    """How positions of a game are told apart."""
    return Solving(rules, numbers={"to_move": 3, "converting": 1, "passes": 3})
