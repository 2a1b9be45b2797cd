"""Actions drawn at random are legal and equally likely."""

import math

import numpy as np

from conformance.cases import Case, all_cases, random_game, some
from conformance.drivers import count_samples
from kakomi.kernel import random_state

DRAWS_OF_EACH = 100


@all_cases
def test_samples_are_uniform_over_the_legal_actions(case: Case) -> None:
    game = case.game
    for position in some(random_game(case)[:-1], 12):
        legal = position.legal_actions()
        counts = np.zeros(len(game.actions), np.int64)
        states = position.states()
        rng = random_state(position.ply)
        count_samples(game.board, states, game.scratch, rng, counts, DRAWS_OF_EACH * len(legal))
        assert np.flatnonzero(counts).tolist() == legal
        assert position.game.restored(states).key() == position.key()
        chi_square = float(((counts[legal] - DRAWS_OF_EACH) ** 2).sum()) / DRAWS_OF_EACH
        freedom = len(legal) - 1
        assert chi_square <= freedom + 6 * math.sqrt(2 * freedom) + 20  # beyond six standard deviations
