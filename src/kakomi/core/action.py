"""Actions as data: how each is spelled and what it touches; and the error for an action that the rules
forbid.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from kakomi.boards import Geometry

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


def list_actions(kinds: Sequence[ActionKind], geometry: Geometry) -> list[Action]:
    """Every action of these kinds, kind after kind: a placement or removal for each point, a conversion for
    each cell, one pass, one end.

    A placement is written as its point, a removal or conversion with an x before what it touches.
    """
    return [action for kind in kinds for action in _of_kind(kind, geometry)]


def _of_kind(kind: ActionKind, geometry: Geometry) -> Iterator[Action]:
    match kind:
        case "place" | "remove":
            before = "x" if kind == "remove" else ""
            yield from (Action(before + name, kind, point=name) for name in geometry.names)
        case "convert":
            yield from (Action(f"x{cell.name}", kind, cell=cell.name) for cell in geometry.cells)
        case _:
            yield Action(kind, kind)


def normalised(text: str) -> str:
    """Action text as parsers compare it: lower case, without spaces and brackets."""
    return "".join(c for c in text.lower() if c not in " \t\r\n()[]")


class IllegalAction(ValueError):  # noqa: N818 (the name is part of the interface)
    """An action that is misspelt or not allowed now; the message says why, citing the rule."""
