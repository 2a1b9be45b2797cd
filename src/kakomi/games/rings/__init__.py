"""Rings, by Stephen Linhart (1995)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, honeycomb_board
from kakomi.core import Action, Description, Option
from kakomi.core.option import Options
from kakomi.draw import Style
from kakomi.games.rings import explain, rules


def _actions(geometry: Geometry, options: Options) -> Sequence[Action]:
    return [
        *(Action(name, "place", point=name) for name in geometry.names),
        Action("pass", "pass"),
        Action("end", "end"),
        *(Action(f"x{cell.name}", "convert", cell=cell.name) for cell in geometry.cells),
    ]


GAME = Description(
    module=__name__,
    name="rings",
    title="Rings",
    author="Stephen Linhart",
    year="1995",
    summary="Convert opposing stones circle by circle; six of one colour are a ring and safe for good.",
    credit="Rings (tm) is by Stephen Linhart, (c) 1995.",
    options=[
        Option("size", "circles along each side of the hexagon", 6, range(2, 7), presets=(3, 4, 6)),
        Option("players", "how many play", 2, range(2, 7)),
    ],
    rules=rules,
    explain=explain,
    geometry=lambda options: honeycomb_board(options["size"]),
    board=lambda geometry, options: rules.build_board(geometry, options["players"]),
    actions=_actions,
    player_names=("Black", "White", "Red", "Blue", "Yellow", "Green"),
    style=Style(points="circles", material="paper"),
    quick={"size": 3},
)
