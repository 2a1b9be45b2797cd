"""Ren, by Aristides Mytaras (2005-2006)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, letter_board
from kakomi.core import Action, Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.level_config import LevelConfig
from kakomi.core.option import Options
from kakomi.core.search_config import SearchConfig
from kakomi.draw import Style
from kakomi.games.ren import explain, observation, policy, rules, solving
from kakomi.games.ren.examples import EXAMPLES
from kakomi.games.ren.validation import validate_state


def _actions(geometry: Geometry, options: Options) -> Sequence[Action]:
    return [*(Action(name, "place", point=name) for name in geometry.names), Action("pass", "pass")]


LEVELS = (  # docs/levels.md
    LevelConfig(90, 0.85, is_advised=False),
    LevelConfig(155, 0.62, is_advised=False),
    LevelConfig(245, 0.49, is_advised=False),
    LevelConfig(390, 0.395, is_advised=False),
    LevelConfig(34, 1.05),
    LevelConfig(70, 0.34),
    LevelConfig(205, 0.13),
    LevelConfig(700, 0.025),
    LevelConfig(2_800),
    LevelConfig(30_000),
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
        Option("size", _("squares along each edge"), 10, range(4, rules.MAX_SIZE + 1), presets=(8, 10)),
        Option(
            "rui_limit", _("weak stones that may be replaced in succession"), 3, range(21), presets=(3, 5)
        ),
        Option("lead", _("lead in points that wins at once, 0 for none"), 0, range(21), presets=(0, 6)),
    ],
    rules=rules,
    policy=policy,
    solving=solving,
    observation=observation,
    levels=LEVELS,
    tuning=SearchConfig(puct=1.0, prior_scale=policy.SCALE, margin=0.5, margin_scale=10, expand_after=6),
    explain=explain,
    geometry=lambda options: letter_board(options["size"]),
    board=lambda geometry, options: rules.build_board(geometry, options["rui_limit"], options["lead"]),
    actions=_actions,
    validate_state=validate_state,
    style=Style(points="squares", material="paper"),
    max_game_length=lambda geometry, options: 4 * geometry.points,
    is_endless=True,  # RULES N12
    quick={"size": 8},
    player_fields=("points",),
    match_games=2,  # RULES N11
    examples=EXAMPLES,
)
