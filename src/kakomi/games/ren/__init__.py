"""Ren, by Aristides Mytaras (2005-2006)."""

from collections.abc import Sequence

from kakomi.boards import Geometry, letter_board
from kakomi.core import Action, Description, Option
from kakomi.core.option import Options
from kakomi.draw import Style
from kakomi.games.ren import explain, rules


def _actions(geometry: Geometry, options: Options) -> Sequence[Action]:
    return [*(Action(name, "place", point=name) for name in geometry.names), Action("pass", "pass")]


GAME = Description(
    module=__name__,
    name="ren",
    title="Ren",
    author="Aristides Mytaras",
    year="2005–2006",
    summary="Score rows and boxes of stones, at the price of weak stones that the opponent may replace.",
    credit=(
        "Ren was created by Aristides Mytaras in 2005-2006 (www.mytaras.com). "
        "Its rules may be distributed and printed, but not sold: Ren is a free game."
    ),
    options=[
        Option("size", "squares along each edge", 10, range(4, rules.MAX_SIZE + 1), presets=(8, 10)),
        Option("rui_limit", "weak stones that may be replaced in succession", 3, range(21), presets=(3, 5)),
        Option("lead", "lead in points that wins at once, 0 for none", 0, range(21), presets=(0, 6)),
    ],
    rules=rules,
    explain=explain,
    geometry=lambda options: letter_board(options["size"]),
    board=lambda geometry, options: rules.build_board(geometry, options["rui_limit"], options["lead"]),
    actions=_actions,
    style=Style(points="squares", material="paper"),
    ply_limit=lambda geometry, options: 4 * geometry.points,  # RULES N12
    quick={"size": 8},
    match_games=2,  # RULES N11
)
