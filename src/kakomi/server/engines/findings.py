"""What thinking finds, on its way and at its end."""

from typing import Any

import msgspec


class Thought(msgspec.Struct, frozen=True):
    """How far a bot has come with a decision."""

    progress: float
    """The part of its time that is used up, from 0 to 1."""
    to_move: int
    """The player it thinks for."""
    chances: tuple[float, ...]
    """Each player's expected share of the win, the sum 1; for two the chance to win, a draw counting half."""
    principal: tuple[str, ...]
    """The best line of play so far. The bot may yet choose another action, or, if it is a weak one, will."""


class Line(msgspec.Struct, frozen=True):
    """An action, and what comes of it."""

    action: str
    visits: int
    chances: tuple[float, ...]
    returns: tuple[float, ...]
    """Each player's mean return, from -1 to 1."""
    wins: bool
    """Whether that is proven, for the player to act."""
    loses: bool
    principal: tuple[str, ...]
    """The line of play that begins with the action."""


class Analysis(msgspec.Struct, frozen=True):
    """What a search has found of a position (docs/protocol.md, `analyse`)."""

    action: str
    to_move: int
    simulations: int
    seconds: float
    chances: tuple[float, ...]
    returns: tuple[float, ...]
    is_proven: bool
    is_full: bool
    principal: tuple[str, ...]
    lines: tuple[Line, ...]

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data
