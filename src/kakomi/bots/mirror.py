"""A bot that answers every turn with its mirror image while that is legal."""

import threading

from kakomi.bots.bot import Bot
from kakomi.bots.levels import LevelBot
from kakomi.core import Game, Position
from kakomi.core.symmetry import Symmetry


class MirrorBot(Bot):
    """Plays the image of the last turn under one symmetry of the board, action by action; plays like a level
    when the image is illegal or nothing has been played yet.

    The symmetry is the involution that fixes the fewest points: half a turn on most boards. On a board
    without one the bot always plays like the level.
    """

    def __init__(self, level: int, seed: int = 0) -> None:
        super().__init__(f"mirror of level {level}", seed)
        self._level = LevelBot(level, seed)
        self._game: Game | None = None
        self._symmetry: Symmetry | None = None
        self._waiting: list[int] = []

    def check(self, game: Game) -> None:
        """Raise ValueError if the game has no such level."""
        self._level.check(game)

    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """Return the next mirrored action, or else the level's. Raises ValueError if the game is over."""
        if position.game != self._game:
            self._game, self._symmetry = position.game, mirror_of(position.game)
        if not position.turn:
            self._waiting = [] if self._symmetry is None else images(self._symmetry, position.previous_turn)
        if self._waiting:
            action = self._waiting.pop(0)
            if action in position.legal_actions():
                self.last_report = None
                return action
            self._waiting = []
        chosen = self._level.choose(position, stop=stop)
        self.last_report = self._level.last_report
        return chosen


def images(symmetry: Symmetry, turn: tuple[int, ...]) -> list[int]:
    """Return the images of a turn's actions under a symmetry."""
    return [symmetry.actions[action] for action in turn]


def mirror_of(game: Game) -> Symmetry | None:
    """Return the symmetry to mirror by; None if no symmetry of the game is its own inverse."""
    try:
        found = game.symmetries
    except ValueError:  # the game doesn't define how symmetries map its actions
        return None
    mirrors = [one for one in found[1:] if all(one.points[to] == at for at, to in enumerate(one.points))]
    return min(mirrors, key=lambda one: sum(at == to for at, to in enumerate(one.points)), default=None)
