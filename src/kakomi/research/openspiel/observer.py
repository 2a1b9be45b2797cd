"""What OpenSpiel's players see."""

from typing import Any

import numpy as np

from kakomi.core import Game
from kakomi.research.observation import observation_spec, observe
from kakomi.research.openspiel.state import SpielState


class PlanesObserver:
    """The planes that a player sees, as OpenSpiel asks for them.

    `tensor` is flat, float32; `dict` holds it as `observation` (planes, height, width), or with the
    parameter `named` one plane (height, width) under each plane's name. Both are written over by `set_from`.
    """

    def __init__(self, game: Game, parameters: dict[str, Any]) -> None:
        if unknown := set(parameters) - {"named"}:
            raise ValueError(f"observations have no parameter {', '.join(sorted(unknown))}; there is: named")
        spec = observation_spec(game)
        self._planes = np.zeros(spec.shape, np.float32)
        self.tensor = self._planes.reshape(-1)
        self.dict = (
            dict(zip(spec.planes, self._planes, strict=True))
            if parameters.get("named")
            else {"observation": self._planes}
        )

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees."""
        self._planes[:] = observe(state.position, player)[0]

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as a line of text, the same for every player."""
        return str(state.position)
