"""Rin, by Zhen Wang (2010)."""

from kakomi.boards import matrix_board
from kakomi.core import Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.level_config import SearchConfig
from kakomi.draw import Style

MARKERS = ("3,6", "3,9", "6,12", "9,12", "12,9", "12,6", "9,3", "6,3")  # RULES R7

GAME = Description(
    module=__name__,
    name="rin",
    title="Rin",
    author="Zhen Wang",
    year="2010",
    summary=_("Close rings around empty points and enemy stones to own most of the board."),
    credit=_("Rin was designed by Zhen Wang in 2010; its rule text is under CC BY-SA 3.0."),
    options=[Option("size", _("points per side"), 16, range(4, 19, 2), presets=(8, 12, 16))],
    geometry=lambda options: matrix_board(options["size"]),
    style=Style(points="intersections", material="wood", markers={16: MARKERS}),
    search_config=SearchConfig(exploration=0.05, equivalence=1000, prior_visits=10),
    lead_spread=0.9,
    sharpness=1.8,
    max_game_length=lambda geometry, options: geometry.points,  # none is emptied again (RULES R3)
    quick={"size": 8},
    size_classes={"small": range(6, 11, 2), "standard": range(12, 19, 2)},
)
