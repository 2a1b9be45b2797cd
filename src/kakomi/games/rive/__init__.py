"""Rive, by Mark Steere (2010)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, hexagon_board
from kakomi.core import Action, Description, Option
from kakomi.core.option import Options
from kakomi.core.strength import Strength
from kakomi.core.tuning import Tuning
from kakomi.core.wording import translatable as _
from kakomi.draw import Style
from kakomi.games.rive import explain, glimpse, planes, policy, rules
from kakomi.games.rive.examples import EXAMPLES
from kakomi.games.rive.groups import MAX_SIZE
from kakomi.games.rive.possible import impossible


def _actions(geometry: Geometry, options: Options) -> Sequence[Action]:
    placements = [Action(name, "place", point=name) for name in geometry.names]
    removals = [Action(f"x{name}", "remove", point=name) for name in geometry.names]
    return placements + removals


LEVELS = (  # docs/levels.md
    Strength(30, 1.2, is_advised=False),
    Strength(60, 0.9, is_advised=False),
    Strength(130, 0.5, is_advised=False),
    Strength(45, 0.25),
    Strength(110),
    Strength(220),
    Strength(420),
    Strength(900),
    Strength(3_000),
    Strength(9_000),
)

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
    rules=rules,
    policy=policy,
    planes=planes,
    levels=LEVELS,
    tuning=Tuning(exploration=0.3, equivalence=0, prior_visits=10),
    explain=explain,
    geometry=lambda options: hexagon_board(options["size"]),
    board=lambda geometry, options: rules.build_board(geometry),
    actions=_actions,
    impossible=impossible,
    style=Style(points="hexagons", material="wood"),
    quick={"size": 3},
    glimpse=glimpse.ACTIONS,
    has_draws=False,  # RULES V7
    examples=EXAMPLES,
)
