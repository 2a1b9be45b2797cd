"""Conversion of a position to the inputs of a network, in compiled code."""

from typing import NamedTuple

import numpy as np

from kakomi.kernel.contract import mark_features, observe

UNSEEN = -1
"""The channel of a plane that isn't an input of the network."""


class InputLayout(NamedTuple):
    """The layout of a network's inputs for the positions of one game."""

    seen: np.ndarray
    """float32 [planes, points]: working space for the game's `observe`, then `mark_features`."""
    features: np.ndarray
    """float32 [features, points]: a view of the part for `mark_features`."""
    points: np.ndarray
    """uint32 [points]: the number of every point."""
    channels: np.ndarray
    """int64 [planes]: the channel of each plane of `seen`, or `UNSEEN`."""
    spots: np.ndarray
    """int64 [points]: the index of each point within a channel."""
    seats: np.ndarray
    """float32 [players, scalars]: the scalars as each player sees them."""


def write_inputs(board, state, scratch, input_layout, planes, scalars):
    """Write the position as the player to act sees it; leave other channels and spots unchanged.

    `planes` is float32 [channels, spots], `scalars` float32 [scalars].
    """
    viewer = int(state.to_move)
    observe(board, state, viewer, input_layout.points, input_layout.seen)
    mark_features(board, state, scratch, input_layout.features)
    for plane in range(len(input_layout.channels)):
        channel = input_layout.channels[plane]
        if channel != UNSEEN:
            for point in range(board.points):
                planes[channel, input_layout.spots[point]] = input_layout.seen[plane, point]
    for k in range(len(scalars)):
        scalars[k] = input_layout.seats[viewer, k]
