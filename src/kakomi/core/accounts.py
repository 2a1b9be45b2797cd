"""What scores are made of, in words that several games share; for their `explain.py`."""

from kakomi.core.i18n import lazy_plural
from kakomi.core.position import Position


def count_stones(position: Position) -> str:
    """For a game of two that counts stones on the board."""
    black, white = position.scores()
    return lazy_plural(
        "Black has {count} stone on the board, White {white}",
        "Black has {count} stones on the board, White {white}",
        count=int(black),
        white=white,
    )
