"""First turns that are alike: those that lead to the same position, but for a symmetry of the board."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from kakomi.core import Game, Position
from kakomi.core.symmetry import Symmetry
from kakomi.study.puzzles.turns import turns_of
from kakomi.study.report.symmetries import known_symmetries

MOST_TURNS = 5_000
"""Of a game with more first turns nobody lists them all."""

Turn = tuple[int, ...]
"""Numbers of actions."""
Key = tuple[bytes, bool]
"""The same for turns that are alike, and for no others."""


@dataclass(frozen=True)
class TurnClass:
    """Turns that are alike."""

    key: Key
    turn: Turn
    """One of them, the same whichever was played."""
    members: int
    """How many positions they lead to."""


class TurnClasses:
    """The first turns of a game, and lines of several turns from its start, up to symmetry.

    Where a game doesn't say what becomes of its actions (`Game.symmetries`) turns are alike that lead to the
    same position.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.symmetries = tuple(one for one in known_symmetries(game) if _keeps_start(game, one))
        """Those of the game that keep its start as it is."""

    def images(self, turn: Sequence[int]) -> list[Turn]:
        """What each symmetry makes of the actions of a turn, or of several."""
        return [tuple(symmetry.actions[action] for action in turn) for symmetry in self.symmetries]

    def class_of(self, turn: Sequence[int]) -> TurnClass:
        """The class of a turn from the start, or of several in succession. Raises IllegalAction."""
        images = self.images(turn)
        keys = [self.key_after(image) for image in images]
        return TurnClass(min(keys), min(images), len(set(keys)))

    def after(self, turn: Sequence[int]) -> Position:
        """The position that actions lead to from the start. Raises IllegalAction."""
        position = self.game.start()
        for action in turn:
            position = position.play_action(action)
        return position

    def key_after(self, turn: Sequence[int]) -> Key:
        """What tells the position after a turn from all others."""
        after = self.after(turn)
        return after.key(), after.is_over

    @cached_property
    def all(self) -> tuple[TurnClass, ...] | None:
        """The classes of all first turns, in the order of their turns; None if there are too many turns."""
        turns = turns_of(self.game.start(), MOST_TURNS)
        if turns is None:
            return None
        found: dict[Key, TurnClass] = {}
        for turn in turns:
            one = self.class_of([self.game.action(text) for text in turn.actions])
            known = found.setdefault(one.key, one)
            if one.turn < known.turn:
                found[one.key] = one
        return tuple(sorted(found.values(), key=lambda one: one.turn))

    def spelled(self, turn: Sequence[int]) -> str:
        """The text of a turn."""
        return " ".join(self.game.action_texts[action] for action in turn)


def _keeps_start(game: Game, symmetry: Symmetry) -> bool:
    """Whether the pieces that a game begins with are where a symmetry puts them."""
    held = game.start().state["stones"][: game.geometry.points]
    return bool((held[list(symmetry.points)] == held).all())
