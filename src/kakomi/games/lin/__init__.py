"""Lin, by Luis Bolaños Mures (2016)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, letter_board
from kakomi.core import Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.i18n import lazy_message, lazy_plural
from kakomi.core.level_config import Adviser, SearchConfig, higher_levels, level_configs
from kakomi.core.option import Options
from kakomi.draw import Style

SHORTER_LINES = {5: 4, 7: 5}  # RULES L1
STARS = {
    9: ("c3", "c7", "e5", "g3", "g7"),
    13: ("d4", "d10", "g7", "j4", "j10"),
    19: ("d4", "d10", "d16", "j4", "j10", "j16", "p4", "p10", "p16"),
}
"""For the eye alone, as on boards of Go."""


def _lines_allowed(options: Options) -> Sequence[int]:
    return range(3, min(6, options["size"]) + 1) if options["size"] < 9 else (6,)


def _max_game_length(geometry: Geometry, options: Options) -> int:
    """A stone on a contested point takes that point out of contest for good; one within a territory
    removes nothing, so that between two of the first kind fewer stones than there are points can go on the
    board, and the game is over when nothing is contested (RULES L4, L6)."""
    return geometry.points**2


GAME = Description(
    module=__name__,
    name="lin",
    title="Lin",
    author="Luis Bolaños Mures",
    year="2016",
    summary=_("Cut the enemy's domains off from every line of six; what is left alive is territory."),
    credit=_("Lin was designed by Luis Bolaños Mures in 2016, who says that Rin and Loops inspired it."),
    options=[
        Option("size", _("points along each edge"), 13, range(5, 20, 2), presets=(9, 13, 19)),
        Option(
            "line",
            _("points in a row or column that keep a domain alive"),
            lambda options: SHORTER_LINES.get(options["size"], 6),
            _lines_allowed,
            words=lambda value: lazy_message("{count} in a line keep a domain alive", count=value),
        ),
        Option(
            "komi",
            _("points added to White's score"),
            0,
            lambda options: range(0, options["size"] ** 2, 2),
            words=lambda value: (
                lazy_plural("{count} point more for White", "{count} points more for White", count=value)
                if value
                else ""
            ),
        ),
    ],
    geometry=lambda options: letter_board(options["size"]),
    style=Style(points="intersections", material="wood", markers=STARS),
    levels=(  # docs/levels.md
        *level_configs(
            simulations=(20, 52, 30, 55, 130, 370, 1_200, 3_500, 9_000, 25_000),
            temperatures=(2, 0.6, 0.5),
            unadvised=2,
            elos=(56, 319, 491, 655, 854, 1064, 1326, 1499, 1662, 1777),
        ),
        *higher_levels(Adviser.NETWORK, simulations=(3_000, 12_000), elos=(2017, 2330)),
    ),
    search_config=SearchConfig(exploration=0.05, prior_visits=10, plain_exploration=1.4),
    max_game_length=_max_game_length,
    quick={"size": 9},
    size_classes={"small": (7, 9), "standard": range(11, 20, 2)},
    komi_option="komi",
    players_are_alike=lambda options: options["komi"] == 0,
    has_draws=False,  # RULES L4
)
