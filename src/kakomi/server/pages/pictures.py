"""Boards as pictures of their own, for pages that show several: small, cached, in the guest's colours."""

import hashlib
import random
from functools import lru_cache
from typing import cast, get_args

from kakomi import catalog
from kakomi.core import Position
from kakomi.draw.theme import Theme
from kakomi.server.tables.quick_start import quick_options

PLIES = 30
"""How long a random game is, for a game that gives no glimpse."""


def themed(name: str) -> Theme:
    """A theme by name, for anything that was asked for: `auto` if there is no such theme."""
    return cast(Theme, name) if name in get_args(Theme) else "auto"


def fingerprint(text: str) -> str:
    """An ETag: other texts have others."""
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:24]}"'


@lru_cache(maxsize=64)
def picture_of_game(name: str, theme: Theme) -> str:
    """A game in its middle, as SVG."""
    return _glimpse(name).svg(theme=theme)


@lru_cache(maxsize=256)
def picture_of_position(position: Position, theme: Theme) -> str:
    """Any position, as SVG."""
    return position.svg(theme=theme)


def _glimpse(name: str) -> Position:
    """The position that the game gives a glimpse of; after some random actions if it gives none."""
    description = catalog.describe(name)
    position = catalog.game(name, **quick_options(description)).start()
    if description.sample_game:
        return position.play(description.sample_game)
    chance = random.Random(name)
    for _ in range(PLIES):
        if position.is_over:
            break
        position = position.play_action(chance.choice(position.legal_actions()))
    return position
