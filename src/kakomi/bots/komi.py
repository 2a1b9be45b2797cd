"""What komi is fair: a first guess from random play."""

from functools import lru_cache

import numpy as np

from kakomi.core import Game
from kakomi.kernel import random_state
from kakomi.search.playout import playouts

PLAYOUTS = 2000


@lru_cache(maxsize=32)
def fair_komi(game: Game, seed: int = 0) -> int:
    """The komi that evens out the scores of random games, as near as it may be.

    Random players show the worth of moving first only faintly, so this is a floor to build on. Raises
    ValueError for a game without komi.
    """
    name = game.description.komi_option
    if not name:
        raise ValueError(f"{game.name} has no komi")
    lead = _mean_lead(game, seed) + game.options[name]
    option = next(option for option in game.description.options if option.name == name)
    return min(option.allowed_given(game.options), key=lambda komi: abs(komi - lead))


def _mean_lead(game: Game, seed: int) -> float:
    """By how many points the first player ends ahead in random games."""
    rules = game.description.rules
    states, scratches = np.zeros(1, rules.STATE), np.zeros(1, rules.SCRATCH)
    rng, scores = random_state(seed), np.zeros(game.players)
    lead = 0.0
    for _ in range(PLAYOUTS):
        playouts(game.board, states, scratches, rng, scores, 1, 0)
        lead += scores[0] - scores[1]
    return lead / PLAYOUTS
