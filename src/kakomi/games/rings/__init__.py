"""Rings, by Stephen Linhart (1995)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, honeycomb_board
from kakomi.core import Action, Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.level_config import LevelConfig
from kakomi.core.option import Options
from kakomi.core.search_config import SearchConfig
from kakomi.draw import Style
from kakomi.games.rings import explain, observation, policy, rules, solving
from kakomi.games.rings.examples import EXAMPLES
from kakomi.games.rings.validation import validate_state


def _actions(geometry: Geometry, options: Options) -> Sequence[Action]:
    return [
        *(Action(name, "place", point=name) for name in geometry.names),
        Action("pass", "pass"),
        Action("end", "end"),
        *(Action(f"x{cell.name}", "convert", cell=cell.name) for cell in geometry.cells),
    ]


def _max_game_length(geometry: Geometry, options: Options) -> int:
    """A round of passes ends the game, and so each placement, and the end, takes a round at most; a turn is
    a placement or pass, conversions that each take a stone at least, and an end (RULES G5, G6)."""
    return options["players"] * (geometry.points + 1) * (geometry.points + 2)


LEVELS = (  # docs/levels.md
    LevelConfig(50, 1.3, is_advised=False),
    LevelConfig(20, 2),
    LevelConfig(32, 0.4),
    LevelConfig(90),
    LevelConfig(200),
    LevelConfig(500),
    LevelConfig(1_300),
    LevelConfig(4_000),
    LevelConfig(12_000),
    LevelConfig(50_000),
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
    solving=solving,
    observation=observation,
    levels=LEVELS,
    tuning=SearchConfig(
        exploration=0.03,
        equivalence=2000,
        expand_after=6,
        plain_exploration=2.0,
    ),
    explain=explain,
    geometry=lambda options: honeycomb_board(options["size"]),
    board=lambda geometry, options: rules.build_board(geometry, options["players"]),
    actions=_actions,
    validate_state=validate_state,
    player_names=(_("Black"), _("White"), _("Red"), _("Blue"), _("Yellow"), _("Green")),
    style=Style(points="circles", material="paper"),
    max_game_length=_max_game_length,
    quick={"size": 3},
    examples=EXAMPLES,
)
