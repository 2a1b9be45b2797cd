"""How many actions there are to choose from."""

import numpy as np

from kakomi.study.report.content import Chart, DataPoint, Section, Series
from kakomi.study.report.estimates import Estimate, mean
from kakomi.study.report.statistics.shared import number, point, strength_chart
from kakomi.study.report.study import Study, extreme
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

MOST_POINTS = 80
STILL_GOING = 0.1
"""A curve by action ends where fewer of the games are still going on."""


def branching(study: Study) -> Section:
    """Legal actions a position, over a game and over strength."""
    own = _mean(study.games)
    assert own
    choice = mean(
        (trace.block, float((trace.branching > 1).sum()), float(trace.plies)) for trace in study.games
    )
    start = study.games[0].branching[:1].tolist()
    return Section(
        key="branching",
        title="Branching",
        group="size",
        finding=f"A player chooses among {in_words(own, 'plain')} actions on average"
        + (f"; at the start there are {start[0]}." if start and study.best.kind == "self" else "."),
        means="The number of legal actions in a position, averaged over all positions of all games.",
        not_means="Few of them may be worth a thought, and several actions can make one turn; two actions "
        "that a symmetry of the board makes alike are counted twice.",
        numbers=(
            *number(study, "legal actions a position", own),
            *number(study, "positions with a choice", choice, "percent"),
        ),
        figures=(
            _by_ply(study.games, study.best.title),
            *strength_chart(
                study,
                "Branching over strength",
                "legal actions",
                [("mean", _mean)],
                "The mean number of legal actions, over the strength of the players.",
            ),
        ),
        links=(extreme(study.games, lambda trace: float(trace.branching.max()), *_widest(study.games)),),
    )


def _mean(games: list[Trace]) -> Estimate | None:
    return mean((trace.block, float(trace.branching.sum()), float(trace.plies)) for trace in games)


def _widest(games: list[Trace]) -> tuple[str, int]:
    widest = max(games, key=lambda trace: (trace.branching.max(), -trace.id.number))
    return f"The widest choice: {widest.branching.max()} actions", int(widest.branching.argmax())


def _by_ply(games: list[Trace], who: str) -> Chart:
    going = np.sort([trace.plies for trace in games])[::-1]
    longest = int(going[min(len(going) - 1, int(STILL_GOING * len(going)))])
    step = max(1, -(-longest // MOST_POINTS))
    points: list[DataPoint] = []
    for ply in range(0, longest, step):
        one = mean((trace.block, float(trace.branching[ply]), 1.0) for trace in games if trace.plies > ply)
        if one:
            points.append(point(ply + 1, one, "plain", f"action {ply + 1}"))
    return Chart(
        "Legal actions over a game",
        "action",
        "legal actions",
        (Series("legal actions", tuple(points), "band"),),
        f"How many actions were legal at each action of games of {who}, on average of those that were "
        "still going on.",
    )
