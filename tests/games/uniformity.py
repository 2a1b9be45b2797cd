"""Test the distribution of the rules' own `sample`."""

import numpy as np

from conformance.drivers import count_samples
from kakomi import Position
from kakomi.kernel import random_state

DRAWS_PER_ACTION = 200
MOST_OFF = 85  # six standard deviations


def assert_samples_uniformly(position: Position, seed: int = 1) -> None:
    """Check that every legal action is drawn about equally often, and no other."""
    legal = position.legal_actions()
    game, rng = position.game, random_state(seed)
    times = np.zeros(len(game.actions), np.int64)
    count_samples(game.board, position.states(), game.scratch, rng, times, DRAWS_PER_ACTION * len(legal))
    assert np.flatnonzero(times).tolist() == legal
    assert all(abs(times[action] - DRAWS_PER_ACTION) < MOST_OFF for action in legal)
