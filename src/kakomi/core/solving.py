"""What a game tells a solver: by what little its positions' values differ."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from kakomi.core.game import Game
from kakomi.core.position import Position


@dataclass(frozen=True)
class Solving:
    """What the function `solving(game)` of a game's `solving.py` answers.

    The value of a position under best play must depend on nothing but the fields named here. Positions
    that agree in them, or do so after one of the board's symmetries, are searched once.
    """

    rules: ModuleType
    """Rules on `kakomi.kernel.contract`, the game's own or some that leave out what makes no
    difference. Actions have the same numbers; a board is the game's."""
    numbers: Mapping[str, int]
    """Further fields -> how many of their lowest bits tell values apart; 0: as many as it takes to count
    the board's points."""
    pieces: str = "stones"
    """The field (int8) that holds what is on each point: `EMPTY` or a number from 0."""
    kinds: int = 0
    """How many different pieces there are; 0: as many as the game has."""
    widths: Sequence[int] | None = None
    """How many bits it takes to tell a piece + 1, by point; 0: another point tells it. None: enough for any
    piece, everywhere."""
    least: str = ""
    """A field (int16, an element for each player at least) with what each player's score can't fall below
    any more; `most` goes with it."""
    most: str = ""
    """A field of the same kind with what each player's score can't rise above any more."""
    standing: str = ""
    """A field (int16, an element for each player at least) that says how well each player stands; actions
    are tried by the lead in it that they give. Without one they are tried by the margin."""
    adopt: Callable[[Position], np.ndarray] | None = None
    """The state (one-element array) that stands for a position of the game, helper fields left to
    `restore`; None: fields of the same names are the same."""
    symmetric: bool = True
    """Whether the board's symmetries are the game's too."""

    def pieces_of(self, game: Game) -> int:
        """How many different pieces there are in a game."""
        return self.kinds or game.players * game.kinds

    def widths_of(self, game: Game) -> list[int]:
        """How many bits tell what is on each point."""
        if self.widths is None:
            return [self.pieces_of(game).bit_length()] * game.geometry.points
        return list(self.widths)


def plain_solving(game: Game) -> Solving:
    """What is true of any game: the identity fields tell positions apart."""
    rules = game.description.rules
    others = [name for name in rules.IDENTITY if name != "stones"]
    return Solving(rules, {name: 8 * rules.STATE[name].itemsize for name in others}, symmetric=False)


def widened(state: np.dtype, *fields: tuple[Any, ...]) -> np.dtype:
    """The record type of a state with more fields."""
    known = [(name, state[name]) for name in state.names or ()]
    return np.dtype([*known, *fields], align=True)
