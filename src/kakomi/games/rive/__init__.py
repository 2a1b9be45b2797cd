"""Rive, by Mark Steere (2010)."""

from kakomi.boards import Geometry, hexagon_board
from kakomi.core import Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.level_config import SearchConfig
from kakomi.core.option import Options
from kakomi.draw import Style
from kakomi.games.rive.groups import MAX_SIZE


def _max_game_length(geometry: Geometry, options: Options) -> int:
    """Bound placements by the number of possible lists of group sizes, as no list occurs twice (RULES V8).
    Of the stones placed, all but a full board are removed."""
    ways = [1] + [0] * geometry.points  # partitions of each number of stones into groups
    for part in range(1, geometry.points + 1):
        for total in range(part, geometry.points + 1):
            ways[total] += ways[total - part]
    return 2 * sum(ways[1:]) - geometry.points


GAME = Description(
    module=__name__,
    name="rive",
    title="Rive",
    author="Mark Steere",
    year="2010",
    summary=_("Join groups to capture stones, move again, and own most of the full board."),
    credit=_(
        "Rive was designed by Mark Steere in December 2010 (marksteeregames.com). "
        "Its name and rules are unchanged, as he asks."
    ),
    options=[Option("size", _("cells per side"), 4, range(2, MAX_SIZE + 1), presets=(4, 5, 6))],
    geometry=lambda options: hexagon_board(options["size"]),
    actions=("place", "remove"),
    dots_for_newcomers=True,
    style=Style(points="hexagons", material="wood"),
    search_config=SearchConfig(exploration=0.3, equivalence=0, prior_visits=10),
    lead_spread=2.6,
    max_game_length=_max_game_length,
    quick={"size": 3},
    ladder={"size": 4},  # on side 3 luck decides, at any strength
    size_classes={"small": (3,), "standard": range(4, 9)},
    has_draws=False,  # RULES V7
)
