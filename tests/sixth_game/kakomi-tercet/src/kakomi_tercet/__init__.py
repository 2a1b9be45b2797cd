"""Tercet, a game for three players, as its own distribution."""

from kakomi.boards import letter_board
from kakomi.core import Description, Option
from kakomi.draw import Style
from kakomi_tercet.rules import MAX_SIZE, PLAYERS

GAME = Description(
    module=__name__,
    name="tercet",
    title="Tercet",
    author="the Kakomi authors",
    year="2026",
    summary="Three players flank each other's stones on a small board.",
    credit="Tercet was made by the Kakomi authors, to show how a game is added.",
    options=[
        Option("size", "points along each edge", 5, range(3, MAX_SIZE + 1), presets=(5, 7)),
        Option(
            "stones",
            "stones of each player",
            default=lambda options: options["size"],
            allowed=lambda options: range(1, options["size"] ** 2 // PLAYERS + 1),
        ),
    ],
    geometry=lambda options: letter_board(options["size"]),
    actions=("place", "remove", "end"),
    player_names=("Amber", "Blue", "Coral"),
    player_fields=("removed",),
    style=Style(points="squares", material="paper"),
    quick={"size": 4, "stones": 5},
)
