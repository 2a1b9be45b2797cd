"""Rings, by Stephen Linhart (1995)."""

from kakomi.boards import Geometry, honeycomb_board
from kakomi.core import Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.level_config import SearchConfig
from kakomi.core.option import Options
from kakomi.draw import Style


def _max_game_length(geometry: Geometry, options: Options) -> int:
    """Bound the length by points + 1 rounds: a round of passes ends the game, and every other places a stone.
    A turn is a placement or pass, conversions of at least one stone each, and an end (RULES G5, G6)."""
    return options["players"] * (geometry.points + 1) * (geometry.points + 2)


GAME = Description(
    module=__name__,
    name="rings",
    title="Rings",
    author="Stephen Linhart",
    year="1995",
    summary=_("Convert enemy stones circle by circle; six of one colour form a ring and are safe for good."),
    credit=_("Rings (tm) is by Stephen Linhart, (c) 1995."),
    options=[
        Option("size", _("circles per side"), 6, range(2, 7), presets=(3, 4, 6)),
        Option("players", _("number of players"), 2, range(2, 7)),
    ],
    geometry=lambda options: honeycomb_board(options["size"]),
    actions=("place", "pass", "end", "convert"),
    player_names=(_("Black"), _("White"), _("Red"), _("Blue"), _("Yellow"), _("Green")),
    style=Style(points="circles", material="paper"),
    search_config=SearchConfig(exploration=0.03, equivalence=2000, expand_after=6, plain_exploration=2.0),
    max_game_length=_max_game_length,
    quick={"size": 3},
    size_classes={"small": (3, 4), "standard": (5, 6)},
)
