"""What a learner sees of one position, and what others see of it."""

import io

import numpy as np

from kakomi.core import Position
from kakomi.draw.pixels import png
from kakomi.research import steps
from kakomi.research.view import view_of

PIXELS = 400
"""The width of a picture."""


def look(position: Position) -> tuple[np.ndarray, np.ndarray]:
    """Observation and mask (int8) of the player to act, in new arrays."""
    game = position.game
    view = view_of(game)
    observation = np.zeros((1, len(view.planes), view.height * view.width), np.float32)
    mask = np.zeros((1, len(game.actions)), np.bool_)
    steps.show_games(game.board, position.states(), game.scratch, view.spots, observation, mask)
    return observation.reshape(view.shape), mask[0].view(np.int8)


def picture(position: Position) -> np.ndarray:
    """The board in pixels, uint8 (height, width, 3). Raises ImportError without the extra `plots`."""
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png(position.svg(theme="light"), width=PIXELS))).convert("RGB"))
