"""What komi is fair: a first guess from random play."""

from functools import lru_cache

from kakomi.core import Game
from kakomi.search.playout import Playouts

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
    playouts = Playouts(game, seed)
    lead = 0.0
    for _ in range(PLAYOUTS):
        playouts.run(1)
        lead += playouts.final_scores[0] - playouts.final_scores[1]
    return lead / PLAYOUTS
