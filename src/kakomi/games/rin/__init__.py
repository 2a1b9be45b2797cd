"""Rin, by Zhen Wang (2010)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, matrix_board
from kakomi.core import Action, Description, Option
from kakomi.core.option import Options
from kakomi.core.possible import out_of_range
from kakomi.core.strength import Strength
from kakomi.core.tuning import Tuning
from kakomi.core.wording import translatable as _
from kakomi.draw import Style
from kakomi.games.rin import explain, glimpse, planes, policy, rules
from kakomi.games.rin.examples import EXAMPLES

MARKERS = ("3,6", "3,9", "6,12", "9,12", "12,9", "12,6", "9,3", "6,3")  # RULES R7


def _actions(geometry: Geometry, options: Options) -> Sequence[Action]:
    return [Action(name, "place", point=name) for name in geometry.names]


LEVELS = (  # docs/levels.md
    Strength(7, 3, is_advised=False),
    Strength(16, 2, is_advised=False),
    Strength(38, 1.2, is_advised=False),
    Strength(22, 1.5),
    Strength(26, 0.8),
    Strength(36, 0.3),
    Strength(100),
    Strength(300),
    Strength(1_000),
    Strength(20_000),
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
    impossible=lambda game, state: out_of_range(state, "left_in_turn", range(1, 3)),  # RULES R1
    style=Style(points="intersections", material="wood", markers={16: MARKERS}),
    policy=policy,
    planes=planes,
    levels=LEVELS,
    tuning=Tuning(exploration=0.05, equivalence=1000, prior_visits=10),
    quick={"size": 8},
    glimpse=glimpse.ACTIONS,
    examples=EXAMPLES,
)
