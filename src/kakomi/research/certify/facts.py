"""What is known of a position, to be compared with what is known of another."""

from collections.abc import Sequence
from typing import Any

from kakomi.core import Position
from kakomi.research.observation import observe


def facts(position: Position) -> dict[str, Any]:
    """All that the rules say of a position, by name."""
    return {
        "player to act": position.to_move,
        "game over": position.is_over,
        "stones": position.stones(),
        "legal actions": position.legal(),
        "scores": position.scores(),
        "key": position.key().hex(),
    }


def sight(position: Position) -> tuple[Any, ...]:
    """What a position looks like to those who play on from it, whatever it holds besides."""
    observation, mask = observe(position)
    return position.to_move, tuple(position.scores()), observation.tobytes(), mask.tobytes()


def spread(items: Sequence[Any], count: int) -> list[Any]:
    """So many of them, evenly spread, the first and the last among them."""
    if len(items) <= count:
        return list(items)
    return [items[i * (len(items) - 1) // (count - 1)] for i in range(count)]
