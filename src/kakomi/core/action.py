"""Actions as data: how each is spelled and what it touches."""

from dataclasses import dataclass
from typing import Literal, get_args

ActionKind = Literal["place", "remove", "convert", "pass", "end"]
KINDS: tuple[str, ...] = get_args(ActionKind)


@dataclass(frozen=True)
class Action:
    """One of a game's actions; its number is its place in the game's list.

    `point` or `cell` is the name of what it touches, None for a pass and the like.
    """

    text: str
    kind: ActionKind = "place"
    point: str | None = None
    cell: str | None = None
    origin: str | None = None
    """The name of the point that a stone comes from, where one action moves it."""
    variant: str = ""
    """What else tells it from actions of the same kind at the same places, such as the piece that it puts.
    The board's symmetries leave it alone."""

    @property
    def target(self) -> str | None:
        """The point or cell it touches."""
        return self.point or self.cell


def normalised(text: str) -> str:
    """Action text as parsers compare it: lower case, without spaces and brackets."""
    return "".join(c for c in text.lower() if c not in " \t\r\n()[]")
