"""Rin, by Zhen Wang (2010)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, matrix_board
from kakomi.core import Action, Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.level_config import LevelConfig
from kakomi.core.option import Options
from kakomi.core.search_config import SearchConfig
from kakomi.core.validation import out_of_range
from kakomi.draw import Style
from kakomi.games.rin import explain, observation, policy, rules, solving
from kakomi.games.rin.examples import EXAMPLES

MARKERS = ("3,6", "3,9", "6,12", "9,12", "12,9", "12,6", "9,3", "6,3")  # RULES R7


def _actions(geometry: Geometry, options: Options) -> Sequence[Action]:
    return [Action(name, "place", point=name) for name in geometry.names]


LEVELS = (  # docs/levels.md
    LevelConfig(7, 3, is_advised=False),
    LevelConfig(16, 2, is_advised=False),
    LevelConfig(38, 1.2, is_advised=False),
    LevelConfig(22, 1.5),
    LevelConfig(26, 0.8),
    LevelConfig(36, 0.3),
    LevelConfig(100),
    LevelConfig(300),
    LevelConfig(1_000),
    LevelConfig(20_000),
)

GAME = Description(
    module=__name__,
    name="rin",
    title="Rin",
    author="Zhen Wang",
    year="2010",
    summary=_("Close rings of stones around points and enemies to own most of the board."),
    credit=_("Rin was designed by Zhen Wang in 2010; its rule text is under CC BY-SA 3.0."),
    options=[Option("size", _("points along each edge"), 16, range(4, 19, 2), presets=(8, 12, 16))],
    rules=rules,
    explain=explain,
    geometry=lambda options: matrix_board(options["size"]),
    board=lambda geometry, options: rules.build_board(geometry),
    actions=_actions,
    validate_state=lambda game, state: out_of_range(state, "left_in_turn", range(1, 3)),  # RULES R1
    style=Style(points="intersections", material="wood", markers={16: MARKERS}),
    policy=policy,
    solving=solving,
    observation=observation,
    levels=LEVELS,
    tuning=SearchConfig(exploration=0.05, equivalence=1000, prior_visits=10),
    max_game_length=lambda geometry, options: geometry.points,  # none is emptied again (RULES R3)
    quick={"size": 8},
    examples=EXAMPLES,
)
