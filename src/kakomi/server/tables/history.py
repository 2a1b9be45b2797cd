"""Earlier moments of a match."""

from dataclasses import dataclass
from functools import cached_property

from kakomi.core import Position
from kakomi.session import Match, MatchGame


@dataclass(frozen=True)
class PastMoment:
    """A game of a match as it was after so many actions."""

    leg: MatchGame
    game: int
    """The first game of a match is 1."""
    ply: int
    length: int
    """How many actions the game has so far."""

    @staticmethod
    def of(match: Match, game: int | None, ply: int | None) -> "PastMoment | None":
        """The moment that is asked for; None for now, which is also what lies beyond."""
        game = len(match.games) if game is None else min(max(game, 1), len(match.games))
        leg = match.games[game - 1]
        length = leg.position.ply
        is_now = game == len(match.games) and (ply is None or ply >= length)
        return None if is_now else PastMoment(leg, game, length if ply is None else min(ply, length), length)

    @cached_property
    def position(self) -> Position:
        """What the board showed."""
        return position_at(self.leg, self.ply)


@dataclass(frozen=True)
class Steps:
    """Where one can step to from a moment of a game; None where there is nothing."""

    game: int
    ply: int
    length: int

    @property
    def first(self) -> int | None:
        return 0 if self.ply else None

    @property
    def before(self) -> int | None:
        return self.ply - 1 if self.ply else None

    @property
    def after(self) -> int | None:
        return self.ply + 1 if self.ply < self.length else None

    @property
    def last(self) -> int | None:
        return self.length if self.ply < self.length else None


def position_at(leg: MatchGame, ply: int) -> Position:
    """The position of a game after so many actions."""
    position = leg.game.start()
    for action in leg.actions()[:ply]:
        position = position.play_action(action)
    return position


def numbers(leg: MatchGame, position: Position) -> dict[str, str]:
    """For every point with a stone, by which action it was put there last, up to a position."""
    stones, found = position.stones(), {}
    for ply, action in enumerate(leg.actions()[: position.ply], 1):
        target = leg.game.actions[action].target
        if target in stones:
            found[target] = str(ply)
    return found
