"""Lin, by Luis Bolaños Mures (2016)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, letter_board
from kakomi.core import Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.i18n import lazy_message
from kakomi.core.level_config import SearchConfig
from kakomi.core.option import Options
from kakomi.draw import Style

SHORTER_LINES = {5: 4, 7: 5}  # RULES L1
STARS = {
    9: ("c3", "c7", "e5", "g3", "g7"),
    13: ("d4", "d10", "g7", "j4", "j10"),
    19: ("d4", "d10", "d16", "j4", "j10", "j16", "p4", "p10", "p16"),
}
"""Marked for orientation only, as on Go boards."""


def _lines_allowed(options: Options) -> Sequence[int]:
    return range(3, min(6, options["size"]) + 1) if options["size"] < 9 else (6,)


def _max_game_length(geometry: Geometry, options: Options) -> int:
    """Bound the length by the points squared. A stone on a contested point settles that point permanently; a
    stone in a territory removes nothing, so fewer stones than points fit between two of the first kind. The
    game ends when no point is contested (RULES L4, L6)."""
    return geometry.points**2


GAME = Description(
    module=__name__,
    name="lin",
    title="Lin",
    author="Luis Bolaños Mures",
    year="2016",
    summary=_("Deny your opponent room for a line of six; the domains that stay alive are territory."),
    credit=_("Lin was designed by Luis Bolaños Mures in 2016, inspired by Rin and Loops."),
    options=[
        Option("size", _("points per side"), 13, range(5, 20, 2), presets=(9, 13, 19)),
        Option(
            "line",
            _("length of a line that keeps a domain alive"),
            lambda options: SHORTER_LINES.get(options["size"], 6),
            _lines_allowed,
            words=lambda value: lazy_message("a line of {count} keeps a domain alive", count=value),
        ),
        Option(
            "komi",
            _("points added to White's score"),
            0,
            lambda options: range(0, options["size"] ** 2, 2),
            words=lambda value: lazy_message("komi {komi}", komi=value) if value else "",
        ),
    ],
    geometry=lambda options: letter_board(options["size"]),
    style=Style(points="intersections", material="wood", markers=STARS),
    search_config=SearchConfig(exploration=0.05, prior_visits=10, plain_exploration=1.4),
    lead_spread=1.6,
    max_game_length=_max_game_length,
    quick={"size": 9},
    size_classes={"small": (7, 9), "standard": range(11, 20, 2)},
    komi_option="komi",
    players_are_alike=lambda options: options["komi"] == 0,
    has_draws=False,  # RULES L4
)
