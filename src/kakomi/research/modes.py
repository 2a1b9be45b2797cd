"""Modes of an environment for the end of a game and for illegal actions."""

import operator
from enum import IntEnum
from typing import Any, Self


class _Mode(IntEnum):
    @classmethod
    def parse(cls, name: "str | _Mode") -> Self:
        """The mode with a name in lower case, such as `"next_step"`. Raises ValueError for other names."""
        for mode in cls:
            if name is mode or (isinstance(name, str) and name == mode.name.lower()):
                return mode
        known = ", ".join(repr(mode.name.lower()) for mode in cls)
        raise ValueError(f"{cls.__name__.lower()} is {name!r}; it may be one of: {known}")


class Autoreset(_Mode):
    """When the next game begins, with Gymnasium's names."""

    DISABLED = 0
    """On request; until then actions for the ended game are ignored."""
    NEXT_STEP = 1
    """With the next step, which ignores the action for that game and gives rewards of 0 for it."""
    SAME_STEP = 2
    """Immediately: the step that ends a game shows the new one, with the rewards of the old.

    In the other two modes, the mask of an ended game is all false. A softmax over no actions is NaN, which
    spoils the loss of a whole batch, so leave out rows that are done.
    """


class Illegal(_Mode):
    """The effect of an illegal action."""

    RAISE = 0
    """It raises IllegalAction and changes nothing."""
    LOSS = 1
    """It ends the game: its player loses and the others share the win."""


def whole(name: str, value: Any) -> int:
    """A value as an integer. Raises ValueError, rather than rounding, if it isn't one."""
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name} is {value!r}; it must be an integer") from None


def forfeit_returns(players: int, loser: int) -> list[float]:
    """The returns of a game that a player lost by an illegal action. Their sum is 0; for two players, ±1."""
    lost = -1 / (players - 1)
    return [lost if player == loser else -lost / (players - 1) for player in range(players)]
