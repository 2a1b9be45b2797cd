"""Positions and random games for tests of the references."""

import random
from typing import TypeVar

from reference import Position

BLACK, WHITE = 0, 1
P = TypeVar("P", bound=Position)


def stones(black: str = "", white: str = "") -> dict[str, int]:
    return dict.fromkeys(black.split(), BLACK) | dict.fromkeys(white.split(), WHITE)


def play_all(position: P, *actions: str) -> P:
    for action in actions:
        position.play(action)
    return position


def random_game(position: Position, seed: int):
    """Play a random game, yielding the position before each action, and the action."""
    chance = random.Random(seed)
    while not position.is_over:
        action = chance.choice(sorted(position.legal()))
        yield position.copy(), action
        position.play(action)
