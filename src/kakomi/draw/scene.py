"""The content of a drawing as data: a board, stones, and marks on both."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from kakomi.boards import Geometry

MarkKind = Literal["area", "heat", "dot", "ring", "cross", "square", "text"]


@dataclass(frozen=True)
class Mark:
    """A sign at a point or a cell of the board.

    `at` is the point's or cell's name. "area" tints the place in the player's colour, and "heat" too, as
    strongly as `strength` says; the others are small signs drawn over it. `text` is what a "text" mark
    writes, and what a screen reader says.
    """

    kind: MarkKind
    at: str
    player: int | None = None
    text: str = ""
    strength: float = field(default=1.0, repr=False)
    """Of heat, from 0 to 1."""


@dataclass(frozen=True)
class Overlay:
    """A set of marks that a viewer switches on and off together."""

    name: str
    title: str
    marks: tuple[Mark, ...] = ()
    for_newcomers: bool = False
    """Whether it is on at first for people who are new to the game."""


@dataclass(frozen=True)
class Hint:
    """The verdict of an analysis on an action, as a badge on its target."""

    at: str
    """The name of a point or a cell."""
    label: str
    """A few characters, such as `54 %`."""
    rank: int = 0
    """0 for the best."""


@dataclass(frozen=True)
class Style:
    """The look of a game's board; data in the game's description.

    "intersections" and "circles" put stones where lines cross, "squares" and "hexagons" into cells.
    """

    points: Literal["intersections", "squares", "hexagons", "circles"] = "intersections"
    material: Literal["wood", "paper"] = "wood"
    markers: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Points with a dot on the empty board, by the board's size (RULES R7)."""
    kinds: tuple[str, ...] = field(default=(), repr=False)
    """The names of a player's kinds of pieces, such as man and king, if there are several. Pieces of the
    second kind and later ones carry the first letter of their name."""


@dataclass(frozen=True)
class Scene:
    """One drawing: everything is named as players name it."""

    geometry: Geometry
    style: Style
    stones: Mapping[str, int]
    """The piece on each point: its player's number, and once the number of players more for each further
    kind of pieces."""
    player_names: tuple[str, ...]
    title: str = ""
    to_move: int | None = None
    """The player to act, if there is one."""
    last: tuple[str, ...] = ()
    """Points and cells that the last action or turn touched."""
    legal: Mapping[str, str] = field(default_factory=dict)
    """Points and cells that can be played now, to be hinted at, and the text of the action on each."""
    dotted: bool = True
    """Whether points that can be played have a dot."""
    overlays: tuple[Overlay, ...] = ()
    turned: int = 0
    """By how many of the geometry's `turns` the board is seen turned clockwise."""
    numbers: Mapping[str, str] = field(default_factory=dict)
    """Numbers of actions on points and cells. An overlay's text takes precedence."""
    draft: tuple[str, ...] = ()
    """Points and cells of a turn that is not confirmed yet."""
    hints: tuple[Hint, ...] = ()

    @cached_property
    def owners(self) -> Mapping[str, int]:
        """The player whose piece is on each point."""
        if not self.kinds:
            return self.stones
        return {at: stone % len(self.player_names) for at, stone in self.stones.items()}

    @cached_property
    def kinds(self) -> Mapping[str, int]:
        """The kind of the piece on each point, where that is not the first, which is 0."""
        players = len(self.player_names)
        return {at: stone // players for at, stone in self.stones.items() if stone >= players}

    def kind_name(self, kind: int) -> str:
        """The name of a kind of pieces; by default its number from 1."""
        return self.style.kinds[kind] if kind < len(self.style.kinds) else str(kind + 1)

    def kind_letter(self, at: str) -> str:
        """The letter on the piece at a point; empty for the first kind."""
        return self.kind_name(self.kinds[at])[:1].upper() if at in self.kinds else ""
