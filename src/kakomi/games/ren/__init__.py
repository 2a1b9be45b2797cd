"""Ren, by Aristides Mytaras (2005-2006)."""

from kakomi.boards import letter_board
from kakomi.core import Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.i18n import lazy_message, lazy_plural
from kakomi.core.level_config import Adviser, SearchConfig, higher_levels, level_configs
from kakomi.draw import Style
from kakomi.games.ren.policy import SCALE
from kakomi.games.ren.rules import MAX_SIZE


def _rui_limit_in_words(value: int) -> str:
    if not value:
        return lazy_message("no replacements")
    return lazy_plural(
        "at most {count} replacement in succession",
        "at most {count} replacements in succession",
        count=value,
    )


def _lead_in_words(value: int) -> str:
    if not value:
        return ""
    return lazy_plural(
        "a lead of {count} point wins at once", "a lead of {count} points wins at once", count=value
    )


GAME = Description(
    module=__name__,
    name="ren",
    title="Ren",
    author="Aristides Mytaras",
    year="2005–2006",
    summary=_("Score rows and boxes of stones, at the price of weak stones that the opponent may replace."),
    credit=_(
        "Ren was created by Aristides Mytaras in 2005-2006 (www.mytaras.com). "
        "Its rules may be distributed and printed, but not sold: Ren is a free game."
    ),
    options=[
        Option("size", _("squares along each edge"), 10, range(4, MAX_SIZE + 1), presets=(8, 10)),
        Option(
            "rui_limit",
            _("weak stones that may be replaced in succession"),
            3,
            range(21),
            presets=(3, 5),
            words=_rui_limit_in_words,
        ),
        Option(
            "lead",
            _("a lead of so many points wins at once, with 0 none does"),
            0,
            range(21),
            presets=(0, 6),
            words=_lead_in_words,
        ),
    ],
    geometry=lambda options: letter_board(options["size"]),
    actions=("place", "pass"),
    style=Style(points="squares", material="paper"),
    levels=(  # docs/levels.md
        *level_configs(
            simulations=(90, 155, 245, 390, 34, 70, 205, 700, 2_800, 30_000),
            temperatures=(0.85, 0.62, 0.49, 0.395, 1.05, 0.34, 0.13, 0.025),
            unadvised=4,
            elos=(52, 346, 603, 843, 1130, 1405, 1651, 1938, 2084, 2358),
        ),
        *higher_levels(Adviser.PATTERNS, simulations=(12_000, 40_000), elos=(2577, 2715)),
        *higher_levels(Adviser.NETWORK, simulations=(4_000,), elos=(2944,)),
    ),
    search_config=SearchConfig(puct=1.0, prior_scale=SCALE, margin=0.5, margin_scale=10, expand_after=6),
    max_game_length=lambda geometry, options: 4 * geometry.points,
    is_endless=True,  # RULES N12
    quick={"size": 8},
    size_classes={"small": range(6, 9), "standard": range(9, 13)},
    player_fields=("points",),
    match_games=2,  # RULES N11
)
