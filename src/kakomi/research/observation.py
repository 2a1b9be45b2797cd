"""Observations of positions for learners: their content and layout, and their rotated and reflected images,
which give more data from the same games.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kakomi.core import Game, Position
from kakomi.extras import needs_extra
from kakomi.research import steps
from kakomi.research.modes import whole

PICTURE_WIDTH = 400
"""The width of pictures in pixels."""


@dataclass(frozen=True)
class ObservationSpec:
    """The layout of observations: float32 planes over a rectangle that holds the board."""

    planes: tuple[str, ...]
    """The names of the planes. The first are stones: the viewer's own, then the others' in turn order."""
    height: int
    width: int
    spots: np.ndarray
    """uint32 (points): the index of each point in a flattened plane."""
    low: np.ndarray
    """float32 (planes): the smallest number that each plane can hold."""
    high: np.ndarray
    """float32 (planes): the largest number that each plane can hold."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, height, width."""
        return len(self.planes), self.height, self.width


@lru_cache(maxsize=100)
def observation_spec(game: Game) -> ObservationSpec:
    """The layout of a game's observations."""
    grid = np.array(game.geometry.grid, np.uint32)
    height, width = (grid.max(axis=0) + 1).tolist()
    spots = np.ascontiguousarray(grid[:, 0] * np.uint32(width) + grid[:, 1])
    low, high = np.array(_bounds(game), np.float32).T
    return ObservationSpec(_planes(game), height, width, spots, low, high)


def observe(position: Position, player: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The observation and the mask of legal actions of a player, by default the player to act, in new arrays.

    The observation is float32 (planes, height, width), with the player's own stones first; the mask is int8
    (actions), all 0 if the player isn't to act or the game is over. Raises ValueError for a player that
    doesn't exist.
    """
    game = position.game
    viewer = position.to_move if player is None else whole("player", player)
    if not 0 <= viewer < game.players:
        raise ValueError(f"player is {player}; there are 0 to {game.players - 1}")
    spec = observation_spec(game)
    observation = np.zeros((1, len(spec.planes), spec.height * spec.width), np.float32)
    mask = np.zeros((1, len(game.actions)), np.bool_)
    states = position.states()
    steps.show_position(game.board, states, game.scratch, viewer, spec.spots, observation, mask)
    return observation.reshape(spec.shape), mask[0].view(np.int8)


def picture(position: Position) -> np.ndarray:
    """A picture of the board, uint8 (height, width, 3). Raises ImportError without the extra `images`."""
    with needs_extra("images"):
        from PIL import Image

        from kakomi.draw.pixels import png

        drawn = png(position.svg(theme="light"), width=PICTURE_WIDTH)
    return np.asarray(Image.open(io.BytesIO(drawn)).convert("RGB"))


def _planes(game: Game) -> tuple[str, ...]:
    own = game.description.observation
    return (
        *(_held_by(k, kind) for kind in _kinds(game) for k in range(game.players)),
        "the player to act, from 0 for the first to 1 for the last",
        *(own.PLANES if own else ()),
    )


def _kinds(game: Game) -> Sequence[str]:
    return game.description.style.kinds or ("stones",)


def _held_by(k: int, kind: str) -> str:
    """The name of the plane for pieces of a kind of the player who acts k turns after the viewer."""
    if k == 0:
        return f"own {kind}"
    return f"{kind} of the {'next player' if k == 1 else f'player {k} turns later'}"


def _bounds(game: Game) -> list[tuple[float, float]]:
    """The smallest and largest number of every plane: 0 and 1, unless the game declares others."""
    own = game.description.observation
    bounds = own.bounds(game.board[0]) if own and hasattr(own, "bounds") else []
    return [*[(0.0, 1.0)] * (len(_planes(game)) - len(bounds)), *bounds]


@dataclass(frozen=True)
class Image:
    """One symmetry of a game, applied to observations, masks, policies and actions."""

    spec: ObservationSpec
    sources: np.ndarray
    """int64 (height × width): the spot from which each spot of an image takes its number."""
    actions: np.ndarray
    """int64 (actions): the image of each action."""

    def observations(self, observations: np.ndarray) -> np.ndarray:
        """The image of observations (..., planes, height, width), in a new array."""
        flat = observations.reshape(*observations.shape[:-2], len(self.sources))
        image: np.ndarray = flat[..., self.sources].reshape(observations.shape)
        return image

    def policies(self, policies: np.ndarray) -> np.ndarray:
        """The image of policies, masks or other arrays (..., actions), in a new array."""
        image = np.empty_like(policies)
        image[..., self.actions] = policies
        return image


def images(game: Game) -> tuple[Image, ...]:
    """An image for each of `game.symmetries`, in order: 8 on squares, 12 on hexagons and honeycombs."""
    spec = observation_spec(game)
    return tuple(
        Image(spec, _sources(spec, symmetry.points), np.array(symmetry.actions))
        for symmetry in game.symmetries
    )


def _sources(spec: ObservationSpec, points: tuple[int, ...]) -> np.ndarray:
    """The source of each spot under a symmetry; spots off the board stay in place."""
    sources = np.arange(spec.height * spec.width)
    sources[spec.spots[list(points)]] = spec.spots
    return sources
