"""How long a game of Rive can be."""

from kakomi.core import Game


def longest(game: Game) -> int:
    """No list of group sizes comes twice (RULES V8), so that there are no more placements than ways to add
    up numbers to as many stones as the board takes; all stones placed but a full board are removed."""
    cells = game.geometry.points
    return 2 * sum(_partitions(cells)[1:]) - cells


def _partitions(largest: int) -> list[int]:
    """In how many ways numbers add up to each sum from 0 to the largest, order aside."""
    ways = [1] + [0] * largest
    for part in range(1, largest + 1):
        for total in range(part, largest + 1):
            ways[total] += ways[total - part]
    return ways
