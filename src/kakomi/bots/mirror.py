"""A bot that copies: it answers every turn by its mirror image, as long as that is legal."""

import threading

from kakomi.bots.bot import Bot
from kakomi.bots.levels import LevelBot
from kakomi.core import Game, Position
from kakomi.core.symmetry import Symmetry


class MirrorBot(Bot):
    """Plays the image of the last turn under one symmetry of the board, action by action; where that can't be
    played, or nothing was played yet, what a level would.

    The symmetry is one that undoes itself and leaves as few points as possible in their place: half a turn
    on most boards. On a board without one it plays as the level does.
    """

    def __init__(self, level: int, seed: int = 0) -> None:
        super().__init__(f"mirror of level {level}", seed)
        self._level = LevelBot(level, seed)
        self._game: Game | None = None
        self._symmetry: Symmetry | None = None
        self._waiting: list[int] = []

    def check(self, game: Game) -> None:
        """Raises ValueError if the game has no such level."""
        self._level.check(game)

    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """The image, or the level's action. Raises ValueError if the game is over."""
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
    """What a symmetry makes of the actions of a turn."""
    return [symmetry.actions[action] for action in turn]


def mirror_of(game: Game) -> Symmetry | None:
    """The symmetry to copy by; None if the game has none that undoes itself."""
    try:
        found = game.symmetries
    except ValueError:  # the game doesn't say what becomes of its actions
        return None
    mirrors = [one for one in found[1:] if all(one.points[to] == at for at, to in enumerate(one.points))]
    return min(mirrors, key=_unmoved, default=None)


def _unmoved(symmetry: Symmetry) -> int:
    return sum(at == to for at, to in enumerate(symmetry.points))
