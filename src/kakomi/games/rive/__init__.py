"""Rive, by Mark Steere (2010)."""

from kakomi.boards import Geometry, hexagon_board
from kakomi.core import Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.level_config import Adviser, SearchConfig, higher_levels, level_configs
from kakomi.core.option import Options
from kakomi.draw import Style
from kakomi.games.rive.groups import MAX_SIZE


def _max_game_length(geometry: Geometry, options: Options) -> int:
    """No list of group sizes comes twice (RULES V8), so that there are no more placements than ways to add
    up numbers to as many stones as the board takes; all stones placed but a full board are removed."""
    ways = [1] + [0] * geometry.points  # in how many numbers add up to each sum, order aside
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
    summary=_("Join groups to capture from them, move again, and own most of the full board."),
    credit=_(
        "Rive was designed by Mark Steere in December 2010 (marksteeregames.com), "
        "who asks that its name and rules stay unchanged."
    ),
    options=[Option("size", _("cells along each side"), 4, range(2, MAX_SIZE + 1), presets=(4, 5, 6))],
    geometry=lambda options: hexagon_board(options["size"]),
    actions=("place", "remove"),
    dots_for_newcomers=True,
    style=Style(points="hexagons", material="wood"),
    levels=(  # docs/levels.md
        *level_configs(
            simulations=(30, 60, 130, 45, 110, 220, 420, 900, 3_000, 9_000),
            temperatures=(1.2, 0.9, 0.5, 0.25),
            unadvised=3,
            elos=(-56, 125, 345, 574, 774, 913, 1068, 1240, 1502, 1701),
        ),
        *higher_levels(Adviser.PATTERNS, simulations=(10_000, 35_000), elos=(1963, 2126)),
        *higher_levels(Adviser.NETWORK, simulations=(4_000,), elos=(2470,)),
    ),
    search_config=SearchConfig(exploration=0.3, equivalence=0, prior_visits=10),
    max_game_length=_max_game_length,
    quick={"size": 3},
    ladder={"size": 4},  # side 3 is a matter of luck at any strength
    size_classes={"small": (3,), "standard": range(4, 9)},
    has_draws=False,  # RULES V7
)
