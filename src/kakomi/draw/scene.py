"""The content of a drawing as data: a board, stones and marks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from kakomi.boards import Geometry

MarkKind = Literal["area", "heat", "dot", "ring", "cross", "square", "text"]


@dataclass(frozen=True)
class Mark:
    """A sign at a point or a cell of the board.

    `at` is the point's or cell's name. "area" tints the place in the player's colour, and so does "heat", in
    proportion to `strength`; the others are small signs above it. `text` is the text of a "text" mark, and
    of any mark in the text alternative.
    """

    kind: MarkKind
    at: str
    player: int | None = None
    text: str = ""
    strength: float = field(default=1.0, repr=False)
    """The strength of a "heat" mark, from 0 to 1."""


@dataclass(frozen=True)
class Overlay:
    """A set of marks that a viewer can switch on and off."""

    name: str
    title: str
    marks: tuple[Mark, ...] = ()
    for_newcomers: bool = False
    """Whether it is on by default for people who are new to the game."""
    is_lasting: bool = False
    """Whether it is on whatever a viewer chooses, as part of the final board."""


@dataclass(frozen=True)
class Hint:
    """An analysis's evaluation of an action, shown as a badge on its target."""

    at: str
    """The name of a point or a cell."""
    label: str
    """A few characters, such as `54 %`."""
    rank: int = 0
    """0 for the best."""


@dataclass(frozen=True)
class Style:
    """The look of a game's board; part of the game's description.

    "intersections" and "circles" put stones where lines cross, "squares" and "hexagons" inside cells.
    """

    points: Literal["intersections", "squares", "hexagons", "circles"] = "intersections"
    material: Literal["wood", "paper"] = "wood"
    markers: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Board size -> points marked with a dot (RULES R7)."""
    kinds: tuple[str, ...] = field(default=(), repr=False)
    """The names of the kinds of pieces, such as man and king, if there are several. Pieces of all kinds but
    the first show the first letter of their name."""


@dataclass(frozen=True)
class Scene:
    """One drawing. Points and cells are given by the names that players use."""

    geometry: Geometry
    style: Style
    stones: Mapping[str, int]
    """The piece on each point: player + kind * number of players."""
    player_names: tuple[str, ...]
    title: str = ""
    to_move: int | None = None
    """The player to act; None if there is none."""
    last: tuple[str, ...] = ()
    """The points and cells of the last action or turn."""
    legal: Mapping[str, str] = field(default_factory=dict)
    """The points and cells that can be played now -> the text of the action there."""
    dotted: bool = True
    """Whether playable points have a dot."""
    overlays: tuple[Overlay, ...] = ()
    turned: int = 0
    """The clockwise rotation of the board, as a number of the geometry's `turns`."""
    numbers: Mapping[str, str] = field(default_factory=dict)
    """Numbers of actions on points and cells. An overlay's text takes precedence."""
    draft: tuple[str, ...] = ()
    """The points and cells of a turn that isn't confirmed yet."""
    hints: tuple[Hint, ...] = ()

    @cached_property
    def owners(self) -> Mapping[str, int]:
        """The owner of the piece on each occupied point."""
        if not self.kinds:
            return self.stones
        return {at: stone % len(self.player_names) for at, stone in self.stones.items()}

    @cached_property
    def kinds(self) -> Mapping[str, int]:
        """The kind of each piece that isn't of the first kind, which is 0."""
        players = len(self.player_names)
        return {at: stone // players for at, stone in self.stones.items() if stone >= players}

    def kind_name(self, kind: int) -> str:
        """Return the name of a kind of pieces; by default its number, counted from 1."""
        return self.style.kinds[kind] if kind < len(self.style.kinds) else str(kind + 1)

    def kind_letter(self, at: str) -> str:
        """Return the letter on the piece at a point; empty for the first kind."""
        return self.kind_name(self.kinds[at])[:1].upper() if at in self.kinds else ""
