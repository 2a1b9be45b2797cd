"""The spaces of observations and actions, as Gymnasium and PettingZoo describe them."""

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
    """The actions' numbers."""
    return spaces.Discrete(len(game.actions))


class LegalActions(spaces.Discrete):
    """The actions' numbers. Without a mask of its own `sample` draws among those that are legal now."""

    def __init__(self, game: Game, legal: Callable[[], np.ndarray]) -> None:
        super().__init__(len(game.actions))
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A legal action's number, each equally likely, or as mask or probability say."""
        if mask is None and probability is None:
            mask = self._legal()
        return super().sample(mask, probability)


class LegalActionsOfMany(spaces.MultiDiscrete):
    """One action's number for each of n games.

    Without a mask of its own `sample` draws among those that are legal now, as `legal` answers them (int8
    or bool; n, actions): 0 for a game that is over.
    """

    def __init__(self, game: Game, n: int, legal: Callable[[], np.ndarray]) -> None:
        super().__init__(np.full(n, len(game.actions)))
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """A legal action's number for each game (int64, n), each equally likely, or as masks or
        probabilities say: tuples of n arrays."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        legal = self._legal() != 0
        chosen = (self.np_random.random(len(legal)) * legal.sum(axis=1)).astype(np.int64)
        numbers: np.ndarray = (legal.cumsum(axis=1) > chosen[:, None]).argmax(axis=1)
        return numbers
