"""The observation and action spaces for Gymnasium and PettingZoo."""

from collections.abc import Callable
from typing import Any

import numpy as np

from kakomi.core import Game
from kakomi.extras import needs_extra
from kakomi.research.observation import observation_spec

with needs_extra("research"):
    from gymnasium import spaces


def planes_space(game: Game) -> spaces.Box:
    """The space of observations: each plane within its bounds."""
    spec = observation_spec(game)
    low, high = (
        np.broadcast_to(bounds[:, None, None], spec.shape).astype(np.float32)
        for bounds in (spec.low, spec.high)
    )
    return spaces.Box(low, high, dtype=np.float32)


def observation_space(game: Game) -> spaces.Dict:
    """The space of observations with action masks, under the names that both libraries use."""
    return spaces.Dict(
        {
            "observation": planes_space(game),
            "action_mask": spaces.Box(0, 1, (len(game.actions),), np.int8),
        }
    )


def actions_space(game: Game) -> spaces.Discrete:
    """The space of action numbers."""
    return spaces.Discrete(len(game.actions))


class LegalActions(spaces.Discrete):
    """The space of action numbers. Without a mask, `sample` draws among the actions that are legal now."""

    def __init__(self, game: Game, legal: Callable[[], np.ndarray]) -> None:
        super().__init__(len(game.actions))
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Draw a legal action uniformly, or as the mask or probabilities say."""
        if mask is None and probability is None:
            mask = self._legal()
        return super().sample(mask, probability)


class LegalActionsOfMany(spaces.MultiDiscrete):
    """The space of action numbers for n games.

    Without a mask, `sample` draws among the actions that are legal now, from `legal()`, int8 or bool
    (n, actions); 0 for a game that is over.
    """

    def __init__(self, game: Game, n: int, legal: Callable[[], np.ndarray]) -> None:
        super().__init__(np.full(n, len(game.actions)))
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """Draw a legal action for each game (int64, n) uniformly, or as the masks or probabilities (tuples of
        n arrays) say."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        legal = self._legal() != 0
        chosen = (self.np_random.random(len(legal)) * legal.sum(axis=1)).astype(np.int64)
        numbers: np.ndarray = (legal.cumsum(axis=1) > chosen[:, None]).argmax(axis=1)
        return numbers
