"""Rotated and reflected images of what learners see and do, for more data from the same games."""

from dataclasses import dataclass

import numpy as np

from kakomi.core import Game
from kakomi.research.observation import ObservationSpec, observation_spec


@dataclass(frozen=True)
class Image:
    """One symmetry of a game, applied to observations, masks, policies and actions."""

    spec: ObservationSpec
    sources: np.ndarray
    """From which spot each spot of an image takes its number (int64, height times width)."""
    actions: np.ndarray
    """The image of each action (int64, one an action)."""

    def observations(self, observations: np.ndarray) -> np.ndarray:
        """The image of observations (..., planes, height, width), a new array."""
        flat = observations.reshape(*observations.shape[:-2], len(self.sources))
        image: np.ndarray = flat[..., self.sources].reshape(observations.shape)
        return image

    def policies(self, policies: np.ndarray) -> np.ndarray:
        """The image of anything that has a number for each action, (..., actions), a new array."""
        image = np.empty_like(policies)
        image[..., self.actions] = policies
        return image


def images(game: Game) -> tuple[Image, ...]:
    """One for each of `game.symmetries`, in their order: 8 on squares, 12 on hexagons and honeycombs."""
    spec = observation_spec(game)
    return tuple(
        Image(spec, _sources(spec, symmetry.points), np.array(symmetry.actions))
        for symmetry in game.symmetries
    )


def _sources(spec: ObservationSpec, points: tuple[int, ...]) -> np.ndarray:
    """Spots off the board stay in place."""
    sources = np.arange(spec.height * spec.width)
    sources[spec.spots[list(points)]] = spec.spots
    return sources
