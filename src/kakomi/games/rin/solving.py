"""Rin for a solver: the stones and how many are left to place say all."""

from kakomi.core import Game
from kakomi.core.solving import Solving
from kakomi.games.rin import rules


def solving(game: Game) -> Solving:
    """How positions of a game are told apart."""
    return Solving(rules, numbers={"to_move": 1, "left_in_turn": 2})
