"""What a learner sees of one position, and what others see of it."""

import io

import numpy as np

from kakomi.core import Position
from kakomi.draw.pixels import png
from kakomi.research import steps
from kakomi.research.view import view_of

PIXELS = 400
"""The width of a picture."""


def look(position: Position, player: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """What a player sees, by default the player to act, and what they may do, in new arrays.

    The observation is float32 (planes, height, width), with the player's own stones first; the mask is int8
    (actions), in which nothing is legal for those who are not to act, nor for anybody when the game is over.
    Raises ValueError for a player that doesn't exist.
    """
    game = position.game
    viewer = position.to_move if player is None else player
    if not 0 <= viewer < game.players:
        raise ValueError(f"player is {player}; there are 0 to {game.players - 1}")
    view = view_of(game)
    observation = np.zeros((1, len(view.planes), view.height * view.width), np.float32)
    mask = np.zeros((1, len(game.actions)), np.bool_)
    states = position.states()
    steps.show_position(game.board, states, game.scratch, int(viewer), view.spots, observation, mask)
    return observation.reshape(view.shape), mask[0].view(np.int8)


def picture(position: Position) -> np.ndarray:
    """The board in pixels, uint8 (height, width, 3). Raises ImportError without the extra `images`."""
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png(position.svg(theme="light"), width=PIXELS))).convert("RGB"))
