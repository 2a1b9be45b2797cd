"""What is measured of any games, to be compared between strengths and between options."""

import math
from collections.abc import Callable

from kakomi.core import Game
from kakomi.study.report.content import Unit
from kakomi.study.report.estimates import Estimate, mean
from kakomi.study.report.statistics.standing import decided_at, drama, lead_changes
from kakomi.study.report.study import mean_of, share_of
from kakomi.study.report.trace import Trace

Measure = tuple[str, Unit, Callable[[list[Trace]], Estimate | None]]


def _searched(games: list[Trace]) -> list[Trace]:
    return [trace for trace in games if trace.has_chances]


def _won(games: list[Trace]) -> list[Trace]:
    return [trace for trace in _searched(games) if not math.isnan(drama(trace))]


DRAWS = "without a sole winner"
MEASURES: tuple[Measure, ...] = (
    ("first seat wins", "percent", lambda games: share_of(games, lambda trace: trace.shares[0])),
    (DRAWS, "percent", lambda games: share_of(games, lambda trace: trace.is_draw)),
    ("actions a game", "plain", lambda games: mean_of(games, lambda trace: trace.plies)),
    (
        "legal actions",
        "plain",
        lambda games: mean(
            (trace.block, float(trace.branching.sum()), float(trace.plies)) for trace in games
        ),
    ),
    ("decided after", "percent", lambda games: mean_of(_won(games), decided_at)),
    ("drama", "plain", lambda games: mean_of(_won(games), drama)),
    (
        "changes of the lead",
        "plain",
        lambda games: mean_of(_searched(games), lambda trace: float(len(lead_changes(trace)))),
    ),
    ("points ever held", "percent", lambda games: mean_of(games, lambda trace: trace.covered)),
)


def measures_of(game: Game) -> list[Measure]:
    """Those that can differ: of games without draws nobody counts any."""
    return [measure for measure in MEASURES if measure[0] != DRAWS or game.description.has_draws]
