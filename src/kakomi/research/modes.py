"""Modes of an environment: for the end of a game, and for illegal actions."""

import operator
from enum import IntEnum
from typing import Any, Self


class _Mode(IntEnum):
    @classmethod
    def parse(cls, name: "str | _Mode") -> Self:
        """The mode of a name in lower case, as in `"next_step"`. Raises ValueError for another."""
        for mode in cls:
            if name is mode or (isinstance(name, str) and name == mode.name.lower()):
                return mode
        known = ", ".join(repr(mode.name.lower()) for mode in cls)
        raise ValueError(f"{cls.__name__.lower()} is {name!r}; it may be one of: {known}")


class Autoreset(_Mode):
    """When the next game begins; the names are Gymnasium's."""

    DISABLED = 0
    """On request; until then actions for the ended game are ignored."""
    NEXT_STEP = 1
    """With the next step, whose action for that game is left aside and whose rewards for it are 0."""
    SAME_STEP = 2
    """At once: the step that ends a game shows the new one, with the rewards of the old.

    In the other two modes an ended game is shown with a mask that is false throughout. A softmax over no
    action is NaN, which spoils the loss of a whole batch: leave out the rows that are done.
    """


class Illegal(_Mode):
    """The effect of an illegal action."""

    RAISE = 0
    """It raises IllegalAction, and nothing has changed."""
    LOSS = 1
    """It ends the game: its player loses and the others share the win."""


def whole(name: str, value: Any) -> int:
    """A value that has to be an integer. Raises ValueError for another, which is not rounded."""
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name} is {value!r}; it must be an integer") from None


def forfeit_returns(players: int, loser: int) -> list[float]:
    """The returns of a game that a player lost by an illegal action: their sum is 0, two players have ±1."""
    lost = -1 / (players - 1)
    return [lost if player == loser else -lost / (players - 1) for player in range(players)]
