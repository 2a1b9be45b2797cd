"""How often the rules' own `sample` draws each action."""

from collections import Counter

import numpy as np

from kakomi import Position
from kakomi.kernel import driver, random_state
from kakomi.kernel.contract import sample

DRAWS_PER_ACTION = 200
MOST_OFF = 85  # six standard deviations


@driver
def draw_actions(boards, states, scratches, rng, drawn):
    for i in range(drawn.size):
        drawn[i] = sample(boards[0], states[0], scratches[0], rng)


def assert_samples_uniformly(position: Position, seed: int = 1) -> None:
    """Every legal action is drawn about equally often, and nothing else is."""
    legal = position.legal_actions()
    drawn = np.zeros(DRAWS_PER_ACTION * len(legal), np.int64)
    draw_actions(position.game.board, position.states(), position.game.scratch, random_state(seed), drawn)
    times = Counter(drawn.tolist())
    assert sorted(times) == legal
    assert all(abs(times[action] - DRAWS_PER_ACTION) < MOST_OFF for action in legal)
