"""What learners see of a game's positions, and how it is laid out."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kakomi.core import Game


@dataclass(frozen=True)
class View:
    """The layout of observations: planes of float32 over a rectangle that holds the board."""

    planes: tuple[str, ...]
    """What each plane tells. The first are stones: the viewer's own, then of the others in turn order."""
    height: int
    width: int
    spots: np.ndarray
    """Where each point lies in a flattened plane (uint32, one a point)."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, height, width."""
        return len(self.planes), self.height, self.width


@lru_cache(maxsize=100)
def view_of(game: Game) -> View:
    """The layout of a game's observations."""
    grid = np.array(game.geometry.grid, np.uint32)
    height, width = (grid.max(axis=0) + 1).tolist()
    spots = np.ascontiguousarray(grid[:, 0] * np.uint32(width) + grid[:, 1])
    return View(_planes(game), height, width, spots)


def _planes(game: Game) -> tuple[str, ...]:
    own = game.description.planes
    kinds = game.description.pieces or ("stones",)
    return (
        *(_held_by(k, kind) for kind in kinds for k in range(game.players)),
        "the player to act, from 0 for the first to 1 for the last",
        *(own.PLANES if own else ()),
    )


def _held_by(k: int, kind: str) -> str:
    """The stones, or pieces of a kind, of the player who acts k turns after the viewer."""
    if k == 0:
        return f"own {kind}"
    return f"{kind} of the {'next player' if k == 1 else f'player {k} turns later'}"
