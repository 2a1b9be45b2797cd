"""The spaces of observations and actions, as Gymnasium and PettingZoo describe them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces

from kakomi.core import Game
from kakomi.research.view import view_of

HIGHEST = 4096.0
"""No plane goes beyond: the largest are Ren's points, in sixteenths."""


def planes_space(game: Game) -> spaces.Box:
    """What is seen."""
    return spaces.Box(0.0, HIGHEST, view_of(game).shape, np.float32)


def observation_space(game: Game) -> spaces.Dict:
    """What is seen, and which actions are legal, under the names that both libraries use."""
    return spaces.Dict(
        {
            "observation": planes_space(game),
            "action_mask": spaces.Box(0, 1, (len(game.actions),), np.int8),
        }
    )


class Actions(spaces.Discrete):
    """The actions' numbers. Without a mask of its own `sample` draws among those that are legal now."""

    def __init__(self, game: Game, legal: Callable[[], np.ndarray]) -> None:
        super().__init__(len(game.actions))
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A legal action's number, each equally likely, or as mask or probability say."""
        if mask is None and probability is None:
            mask = self._legal()
        return super().sample(mask, probability)
