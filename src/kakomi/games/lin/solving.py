"""Lin for a solver: on small boards as three sets of points."""

from kakomi.core import Game
from kakomi.core.solving import Solving, plain_solving
from kakomi.games.lin import masks


def solving(game: Game) -> Solving:
    """How positions of a game are told apart."""
    if game.geometry.size > masks.LARGEST:
        return plain_solving(game)
    return Solving(
        masks,
        numbers={"to_move": 1},
        pieces="owners",
        least="settled",
        most="attainable",
        standing="lines_left",
        adopt=masks.adopt,
    )
