"""Rive, by Mark Steere (2010)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, hexagon_board
from kakomi.core import Action, Description, Option
from kakomi.core.option import Options
from kakomi.draw import Style
from kakomi.games.rive import explain, rules
from kakomi.games.rive.groups import MAX_SIZE


def _actions(geometry: Geometry, options: Options) -> Sequence[Action]:
    placements = [Action(name, "place", point=name) for name in geometry.names]
    removals = [Action(f"x{name}", "remove", point=name) for name in geometry.names]
    return placements + removals


GAME = Description(
    module=__name__,
    name="rive",
    title="Rive",
    author="Mark Steere",
    year="2010",
    summary="Join groups to capture from them, move again, and own most of the full board.",
    credit=(
        "Rive was designed by Mark Steere in December 2010 (marksteeregames.com), "
        "who asks that its name and rules stay unchanged."
    ),
    options=[Option("size", "cells along each side", 4, range(2, MAX_SIZE + 1), presets=(4, 5, 6))],
    rules=rules,
    explain=explain,
    geometry=lambda options: hexagon_board(options["size"]),
    board=lambda geometry, options: rules.build_board(geometry),
    actions=_actions,
    style=Style(points="hexagons", material="wood"),
    quick={"size": 3},
)
