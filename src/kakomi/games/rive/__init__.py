"""Rive, by Mark Steere (2010)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, hexagon_board
from kakomi.core import Action, Description, Option
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.level_config import LevelConfig
from kakomi.core.option import Options
from kakomi.core.search_config import SearchConfig
from kakomi.draw import Style
from kakomi.games.rive import explain, observation, policy, rules, solving
from kakomi.games.rive.examples import EXAMPLES
from kakomi.games.rive.groups import MAX_SIZE
from kakomi.games.rive.validation import validate_state


def _actions(geometry: Geometry, options: Options) -> Sequence[Action]:
    placements = [Action(name, "place", point=name) for name in geometry.names]
    removals = [Action(f"x{name}", "remove", point=name) for name in geometry.names]
    return placements + removals


def _max_game_length(geometry: Geometry, options: Options) -> int:
    """No list of group sizes comes twice (RULES V8), so that there are no more placements than ways to add
    up numbers to as many stones as the board takes; all stones placed but a full board are removed."""
    ways = [1] + [0] * geometry.points  # in how many numbers add up to each sum, order aside
    for part in range(1, geometry.points + 1):
        for total in range(part, geometry.points + 1):
            ways[total] += ways[total - part]
    return 2 * sum(ways[1:]) - geometry.points


LEVELS = (  # docs/levels.md
    LevelConfig(30, 1.2, is_advised=False),
    LevelConfig(60, 0.9, is_advised=False),
    LevelConfig(130, 0.5, is_advised=False),
    LevelConfig(45, 0.25),
    LevelConfig(110),
    LevelConfig(220),
    LevelConfig(420),
    LevelConfig(900),
    LevelConfig(3_000),
    LevelConfig(9_000),
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
    solving=solving,
    observation=observation,
    levels=LEVELS,
    tuning=SearchConfig(exploration=0.3, equivalence=0, prior_visits=10),
    explain=explain,
    geometry=lambda options: hexagon_board(options["size"]),
    board=lambda geometry, options: rules.build_board(geometry),
    actions=_actions,
    validate_state=validate_state,
    style=Style(points="hexagons", material="wood"),
    max_game_length=_max_game_length,
    quick={"size": 3},
    has_draws=False,  # RULES V7
    examples=EXAMPLES,
)
