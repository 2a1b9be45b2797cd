"""Rings, by Stephen Linhart (1995)."""

from kakomi.boards import Geometry, honeycomb_board
from kakomi.core import Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.level_config import SearchConfig, level_configs
from kakomi.core.option import Options
from kakomi.draw import Style


def _max_game_length(geometry: Geometry, options: Options) -> int:
    """A round of passes ends the game, and so each placement, and the end, takes a round at most; a turn is
    a placement or pass, conversions that each take a stone at least, and an end (RULES G5, G6)."""
    return options["players"] * (geometry.points + 1) * (geometry.points + 2)


GAME = Description(
    module=__name__,
    name="rings",
    title="Rings",
    author="Stephen Linhart",
    year="1995",
    summary=_("Convert opposing stones circle by circle; six of one colour are a ring and safe for good."),
    credit=_("Rings (tm) is by Stephen Linhart, (c) 1995."),
    options=[
        Option("size", _("circles along each side of the hexagon"), 6, range(2, 7), presets=(3, 4, 6)),
        Option("players", _("how many play"), 2, range(2, 7)),
    ],
    geometry=lambda options: honeycomb_board(options["size"]),
    actions=("place", "pass", "end", "convert"),
    player_names=(_("Black"), _("White"), _("Red"), _("Blue"), _("Yellow"), _("Green")),
    style=Style(points="circles", material="paper"),
    levels=level_configs(  # docs/levels.md
        simulations=(50, 20, 32, 90, 200, 500, 1_300, 4_000, 12_000, 50_000),
        temperatures=(1.3, 2, 0.4),
        unadvised=1,
        elos=(-63, 18, 161, 390, 615, 745, 931, 1058, 1150, 1305),
    ),
    search_config=SearchConfig(exploration=0.03, equivalence=2000, expand_after=6, plain_exploration=2.0),
    max_game_length=_max_game_length,
    quick={"size": 3},
    size_classes={"small": (3, 4), "standard": (5, 6)},
)
