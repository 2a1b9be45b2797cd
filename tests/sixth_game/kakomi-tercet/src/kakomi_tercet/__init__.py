"""Tercet, a game for three players, as a distribution of its own."""

from collections.abc import Sequence

from kakomi.boards import Geometry, letter_board
from kakomi.core import Action, Description, Option
from kakomi.core.option import Options
from kakomi.draw import Style
from kakomi_tercet import explain, rules
from kakomi_tercet.validation import validate_state


def _actions(geometry: Geometry, options: Options) -> Sequence[Action]:
    """In the order of the numbers that the rules use: placements, removals, the end of a turn."""
    return [
        *(Action(name, "place", point=name) for name in geometry.names),
        *(Action(f"x{name}", "remove", point=name) for name in geometry.names),
        Action("end", "end"),
    ]


GAME = Description(
    module=__name__,
    name="tercet",
    title="Tercet",
    author="the Kakomi authors",
    year="2026",
    summary="Three players flank each other's stones on a small board.",
    credit="Tercet was made by the Kakomi authors, to show how a game is added.",
    options=[
        Option("size", "points along each edge", 5, range(3, rules.MAX_SIZE + 1), presets=(5, 7)),
        Option(
            "stones",
            "stones of each player",
            default=lambda options: options["size"],
            allowed=lambda options: range(1, options["size"] ** 2 // rules.PLAYERS + 1),
        ),
    ],
    rules=rules,
    explain=explain,
    geometry=lambda options: letter_board(options["size"]),
    board=lambda geometry, options: rules.build_board(geometry, options["stones"]),
    actions=_actions,
    validate_state=validate_state,
    player_names=("Amber", "Blue", "Coral"),
    player_fields=("removed",),
    style=Style(points="squares", material="paper"),
    quick={"size": 4, "stones": 5},
)
