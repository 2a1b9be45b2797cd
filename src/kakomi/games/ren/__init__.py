"""Ren, by Aristides Mytaras (2005-2006)."""

from kakomi.boards import letter_board
from kakomi.core import Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.i18n import lazy_message, lazy_plural
from kakomi.core.level_config import SearchConfig
from kakomi.draw import Style
from kakomi.games.ren.policy import SCALE
from kakomi.games.ren.rules import MAX_SIZE


def _rui_limit_in_words(value: int) -> str:
    if not value:
        return lazy_message("no replacements")
    return lazy_plural(
        "at most {count} replacement in a row",
        "at most {count} replacements in a row",
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
    summary=_("Score with rows and boxes of stones, but leave weak stones that your opponent can replace."),
    credit=_(
        "Ren was created by Aristides Mytaras in 2005-2006 (www.mytaras.com). "
        "Its rules may be distributed and printed, but not sold: Ren is a free game."
    ),
    options=[
        Option("size", _("squares per side"), 10, range(4, MAX_SIZE + 1), presets=(8, 10)),
        Option(
            "rui_limit",
            _("most replacements in a row"),
            3,
            range(21),
            presets=(3, 5),
            words=_rui_limit_in_words,
        ),
        Option(
            "lead",
            _("lead that wins at once, 0 for none"),
            0,
            range(21),
            presets=(0, 6),
            words=_lead_in_words,
        ),
    ],
    geometry=lambda options: letter_board(options["size"]),
    actions=("place", "pass"),
    style=Style(points="squares", material="paper"),
    search_config=SearchConfig(puct=1.0, prior_scale=SCALE, margin=0.5, margin_scale=10, expand_after=6),
    lead_spread=0.6,
    sharpness=2.3,
    max_game_length=lambda geometry, options: 4 * geometry.points,
    is_endless=True,  # RULES N12
    quick={"size": 8},
    size_classes={"small": range(6, 9), "standard": range(9, 13)},
    player_fields=("points",),
    lists_gains=True,
    match_games=2,  # RULES N11
)
