"""Actions as data, with their texts and the places that they touch, and the error for an illegal one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from kakomi.boards import Geometry

ActionKind = Literal["place", "remove", "convert", "pass", "end"]
KINDS: tuple[str, ...] = get_args(ActionKind)


@dataclass(frozen=True)
class Action:
    """One of a game's actions; its number is its index in the game's list.

    `point` or `cell` is the name of the place that it touches; a pass touches none.
    """

    text: str
    kind: ActionKind = "place"
    point: str | None = None
    cell: str | None = None
    origin: str | None = None
    """The name of the point that a stone moves from, if the action moves one."""
    variant: str = ""
    """What distinguishes it from actions of the same kind at the same places, such as the piece placed.
    The board's symmetries don't change it."""

    @property
    def target(self) -> str | None:
        """The point or cell that it touches."""
        return self.point or self.cell


def list_actions(kinds: Sequence[ActionKind], geometry: Geometry) -> list[Action]:
    """All actions of these kinds, kind by kind: a placement or removal for each point, a conversion for each
    cell, one pass, one end.

    The text of a placement is its point, that of a removal or conversion an x and its point or cell.
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
    """An action's text for comparisons: in lower case, without spaces and brackets."""
    return "".join(c for c in text.lower() if c not in " \t\r\n()[]")


class IllegalAction(ValueError):  # noqa: N818 (the name is part of the interface)
    """An action that is misspelt or illegal; the message gives the reason and cites the rule."""
