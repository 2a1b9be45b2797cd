"""What the terminal calls things."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kakomi.core import Game


def game_line(game: "Game", *, without: str = "") -> str:
    """The game with its options: `Lin · size 9 · line 6 · komi 4`."""
    options = [f"{name.replace('_', ' ')} {value}" for name, value in game.options.items() if name != without]
    return " · ".join([game.description.title, *options])
