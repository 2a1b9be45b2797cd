"""Rings, by Stephen Linhart (1995)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, honeycomb_board
from kakomi.core import Action, Description, Option
from kakomi.core.option import Options
from kakomi.core.strength import Strength
from kakomi.core.tuning import Tuning
from kakomi.core.wording import translatable as _
from kakomi.draw import Style
from kakomi.games.rings import explain, glimpse, planes, policy, rules
from kakomi.games.rings.examples import EXAMPLES
from kakomi.games.rings.possible import impossible


def _actions(geometry: Geometry, options: Options) -> Sequence[Action]:
    return [
        *(Action(name, "place", point=name) for name in geometry.names),
        Action("pass", "pass"),
        Action("end", "end"),
        *(Action(f"x{cell.name}", "convert", cell=cell.name) for cell in geometry.cells),
    ]


LEVELS = (  # docs/levels.md
    Strength(50, 1.3, is_advised=False),
    Strength(20, 2),
    Strength(32, 0.4),
    Strength(90),
    Strength(200),
    Strength(500),
    Strength(1_300),
    Strength(4_000),
    Strength(12_000),
    Strength(50_000),
)

GAME = Description(
    module=__name__,
    name="rings",
    title="Rings",
    author="Stephen Linhart",
    year="1995",
    summary=_("Convert opposing stones circle by circle; six of one colour are a ring and safe for good."),
    credit=_("Rings (tm) is by Stephen Linhart, (c) 1995."),
    options=[
        Option("size", _("circles along each side of the hexagon"), 6, range(2, 7), presets=(3, 4, 6)),
        Option("players", _("how many play"), 2, range(2, 7)),
    ],
    rules=rules,
    policy=policy,
    planes=planes,
    levels=LEVELS,
    tuning=Tuning(
        exploration=0.03,
        equivalence=2000,
        expand_after=6,
        plain_exploration=2.0,
    ),
    explain=explain,
    geometry=lambda options: honeycomb_board(options["size"]),
    board=lambda geometry, options: rules.build_board(geometry, options["players"]),
    actions=_actions,
    impossible=impossible,
    player_names=(_("Black"), _("White"), _("Red"), _("Blue"), _("Yellow"), _("Green")),
    style=Style(points="circles", material="paper"),
    quick={"size": 3},
    glimpse=glimpse.ACTIONS,
    examples=EXAMPLES,
)
