"""Random games that everything is tried on."""

import random
from dataclasses import dataclass

from kakomi.core import Game, Position
from kakomi.research.certify.asking import sampled
from kakomi.research.observation import observe

MOST_PLIES_A_POINT = 200
"""A random game that is longer for its board never ends, as far as anybody will see."""


@dataclass(frozen=True)
class Trail:
    """One random game, up to its end or to the last position at which its rules didn't fail."""

    actions: tuple[int, ...]
    error: str = "none"
    """What rules raised there."""
    failing: tuple[int, ...] = ()
    """The actions that led to the error."""


def trail_of(game: Game, seed: str) -> Trail:
    """A random game, in which the rules are asked all there is to ask at every position."""
    chance = random.Random(seed)
    actions: list[int] = []
    try:
        position = begun(game)
        _ask_everything(position)
        while not position.is_over and position.ply < most_plies(game):
            actions.append(chance.choice(position.legal_actions()))
            position = position.play_action(actions[-1])
            _ask_everything(position)
    except Exception as error:  # whatever rules do that have a fault
        return Trail(tuple(actions[:-1]), told(error), tuple(actions))
    return Trail(tuple(actions))


def begun(game: Game) -> Position:
    """A start that nobody else holds: `game.start()` is always the same object."""
    return Game(game.description, game.options).start()


def most_plies(game: Game) -> int:
    """After how many actions a random game is cut off."""
    cut_off = game.cut_off
    return MOST_PLIES_A_POINT * game.geometry.points if cut_off is None else cut_off


def told(error: Exception) -> str:
    """An error by its type and words."""
    return f"{type(error).__name__}: {error}"


def _ask_everything(position: Position) -> None:
    position.legal_actions()
    position.scores()
    for player in range(position.game.players):
        observe(position, player)
    sampled(position.game, position.states(), position.ply)
