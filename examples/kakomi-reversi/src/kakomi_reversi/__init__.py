"""Reversi, as its own distribution."""

from kakomi.boards import letter_board
from kakomi.core import Description, Option
from kakomi.draw import Style
from kakomi_reversi.rules import MAX_SIZE

GAME = Description(
    module=__name__,
    name="reversi",
    title="Reversi",
    author="Lewis Waterman",
    year="1883",
    summary="Flank rows of enemy stones to flip them; the player with more stones at the end wins.",
    credit="Reversi was published by Lewis Waterman in 1883; four stones at the start came later.",
    options=[Option("size", "squares along each edge", 8, range(4, MAX_SIZE + 1, 2), presets=(6, 8))],
    geometry=lambda options: letter_board(options["size"]),
    actions=("place", "pass"),
    dots_for_newcomers=True,
    style=Style(points="squares", material="wood"),
    quick={"size": 6},
    is_symmetric=False,  # turned by a quarter, the four stones at the start change colours
    max_game_length=lambda geometry, options: 2 * geometry.points,
)
