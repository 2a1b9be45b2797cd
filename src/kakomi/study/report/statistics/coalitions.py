"""Games of three and more: do players act against whoever leads?"""

from itertools import pairwise

import numpy as np

from kakomi.study.report.content import GameLink, Section
from kakomi.study.report.estimates import Estimate, mean
from kakomi.study.report.statistics.kingmaking import turn_starts
from kakomi.study.report.statistics.shared import number, strength_chart
from kakomi.study.report.study import Study
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words


def coalitions(study: Study) -> Section | None:
    """What others' turns cost the leader, beyond what they cost the rest; None for two, or without
    searches."""
    games = study.searched
    if study.game.players < 3 or not games:
        return None
    own = _pressure(games)
    if own is None:
        return None
    most = max(games, key=lambda trace: (_sums(trace)[0], -trace.id.number))
    return Section(
        key="coalitions",
        title="Coalitions against the leader",
        group="players",
        finding=f"A turn of another player costs the leader {in_words(own.scaled(100), 'points')} points "
        "more than it costs the others.",
        means="For each turn of a player who does not lead: by how many percentage points the leader's "
        "chance falls, less by how many the chances of those fall who neither lead nor act. Above 0, "
        "players hold the leader back.",
        not_means="No player of these speaks with another or plans with them. A leader also has more to "
        "lose, so that a small number above 0 comes of itself.",
        numbers=tuple(number(study, "points a turn", own.scaled(100), "points")),
        figures=tuple(
            strength_chart(
                study,
                "Pressure on the leader over strength",
                "points a turn",
                [("pressure", lambda some: (one := _pressure(some)) and one.scaled(100))],
                "How much others' turns cost the leader, over the strength of the players.",
                unit="points",
                searched=True,
                level=0.0,
            )
        ),
        links=(GameLink(most.id, "A leader held back", most.at(0.5)),),
    )


def _pressure(games: list[Trace]) -> Estimate | None:
    return mean((trace.block, *_sums(trace)) for trace in games)


def _sums(trace: Trace) -> tuple[float, float]:
    """What turns cost the leader beyond the others, in all, and the number of such turns."""
    starts = turn_starts(trace)
    total, turns = 0.0, 0
    for start, end in pairwise(starts[:-1]):  # the last turn's change is the result
        change = trace.chances[end] - trace.chances[start]
        mover, leader = int(trace.movers[start]), int(trace.chances[start].argmax())
        others = [seat for seat in range(len(change)) if seat not in (mover, leader)]
        if mover != leader and others:
            total += float(np.mean(change[others]) - change[leader])
            turns += 1
    return total, float(turns)
