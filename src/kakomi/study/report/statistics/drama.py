"""Drama: how far behind winners were, and how often they came back."""

import math

from kakomi.study.report.content import GameLink, Section
from kakomi.study.report.statistics.shared import number, strength_chart
from kakomi.study.report.statistics.standing import deepest, drama, rows
from kakomi.study.report.study import Study, mean_of, share_of
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

NEARLY_LOST = 0.5
"""Times an even share of the win: whoever stood so and won has come back."""


def dramas(study: Study) -> Section | None:
    """Drama of won games, and comebacks; None where no search says how games stood."""
    won = _won(study.searched)
    if not won:
        return None
    own, back = mean_of(won, drama), share_of(won, _came_back)
    assert own and back
    best = max(won, key=lambda trace: (drama(trace), -trace.id.number))
    return Section(
        key="drama",
        title="Drama",
        group="course",
        finding=f"In {in_words(back, 'percent')} of won games the winner had stood nearly lost before.",
        means="Drama is high if those who win were far behind on the way: the mean root of the gap to the "
        "leader, over all moments at which the later winner was behind, from 0 to 1. A comeback is a win "
        "after a chance of half of an even share or less.",
        not_means="How a game stood is what the players' own searches expected, who may have been wrong: "
        "drama between weak bots is partly their misjudgement.",
        numbers=(*number(study, "drama", own), *number(study, "comebacks", back, "percent")),
        figures=tuple(
            strength_chart(
                study,
                "Comebacks over strength",
                "share of won games",
                [("comebacks", lambda games: share_of(_won(games), _came_back))],
                "How often winners had stood nearly lost, over the strength of the players.",
                unit="percent",
                searched=True,
            )
        ),
        links=(GameLink(best.id, "The most dramatic game, at its turning point", deepest(best)),),
    )


def _won(games: list[Trace]) -> list[Trace]:
    return [trace for trace in games if not math.isnan(drama(trace))]


def _came_back(trace: Trace) -> bool:
    assert trace.winner is not None
    return bool(rows(trace)[:, trace.winner].min() <= NEARLY_LOST / len(trace.shares))
