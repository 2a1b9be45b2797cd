"""Rin, by Zhen Wang (2010)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, matrix_board
from kakomi.core import Action, Description, Option
from kakomi.core.option import Options
from kakomi.draw import Style
from kakomi.games.rin import explain, rules

MARKERS = ("3,6", "3,9", "6,12", "9,12", "12,9", "12,6", "9,3", "6,3")  # RULES R7


def _actions(geometry: Geometry, options: Options) -> Sequence[Action]:
    return [Action(name, "place", point=name) for name in geometry.names]


GAME = Description(
    module=__name__,
    name="rin",
    title="Rin",
    author="Zhen Wang",
    year="2010",
    summary="Close rings of stones around points and enemies to own most of the board.",
    credit="Rin was designed by Zhen Wang in 2010; its rule text is under CC BY-SA 3.0.",
    options=[Option("size", "points along each edge", 16, range(4, 19, 2), presets=(8, 12, 16))],
    rules=rules,
    explain=explain,
    geometry=lambda options: matrix_board(options["size"]),
    board=lambda geometry, options: rules.build_board(geometry),
    actions=_actions,
    style=Style(points="intersections", material="wood", markers={16: MARKERS}),
    quick={"size": 8},
)
