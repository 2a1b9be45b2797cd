"""How a position becomes the inputs of a network, for compiled code."""

from typing import NamedTuple

import numpy as np

from kakomi.kernel.contract import mark_features, observe

UNSEEN = -1
"""The channel of a plane that the network does not get."""


class Sight(NamedTuple):
    """Where everything lies that a network sees of a position of one game."""

    seen: np.ndarray
    """float32 [planes, points]: working space for what the game's `observe` writes, and behind that"""
    features: np.ndarray
    """float32 [features, points]: what its `mark_features` does, a view."""
    points: np.ndarray
    """uint32 [points]: every point's number."""
    channels: np.ndarray
    """int64 [planes]: the channel of each of these planes, or `UNSEEN`."""
    spots: np.ndarray
    """int64 [points]: where each point lies on a channel."""
    seats: np.ndarray
    """float32 [players, scalars]: the scalars as each player sees them."""


def write_inputs(board, state, scratch, sight, planes, scalars):
    """Write the position as the player to act sees it; other channels and spots stay as they are.

    `planes` is float32 [channels, spots], `scalars` float32 [scalars].
    """
    viewer = int(state.to_move)
    observe(board, state, viewer, sight.points, sight.seen)
    mark_features(board, state, scratch, sight.features)
    for plane in range(len(sight.channels)):
        channel = sight.channels[plane]
        if channel != UNSEEN:
            for point in range(board.points):
                planes[channel, sight.spots[point]] = sight.seen[plane, point]
    for k in range(len(scalars)):
        scalars[k] = sight.seats[viewer, k]
