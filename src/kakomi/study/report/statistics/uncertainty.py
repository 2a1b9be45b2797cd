"""How long a game stays open, and when it is decided."""

import math
from functools import partial

import numpy as np

from kakomi.study.report.content import Chart, GameLink, Section, Series
from kakomi.study.report.estimates import quantile
from kakomi.study.report.statistics.shared import PARTS, number, point, strength_chart
from kakomi.study.report.statistics.standing import decided_at
from kakomi.study.report.statistics.standing import uncertainty as openness
from kakomi.study.report.study import Study, mean_of, share_of, typical
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

THIRDS = (("first third", 0.0, 1 / 3), ("second third", 1 / 3, 2 / 3), ("last third", 2 / 3, 1.0))
LATE = 0.8


def uncertainty(study: Study) -> Section | None:
    """Openness over a game, and the moment of decision; None where no search says how games stood."""
    games = study.searched
    if not games:
        return None
    won = _won(games)
    decided, late = mean_of(won, decided_at), share_of(won, lambda trace: decided_at(trace) >= LATE)
    middle = quantile((trace.block, decided_at(trace), 1.0) for trace in won)
    numbers = [
        number(study, f"openness, {name}", mean_of(games, partial(_over, begin=begin, end=end)))
        for name, begin, end in THIRDS
    ]
    told = (
        f"Half of all games are decided after {in_words(middle, 'percent')} of their actions."
        if middle
        else ""
    )
    return Section(
        key="uncertainty",
        title="Uncertainty and decision",
        group="course",
        finding=told,
        means="Openness is 1 while all players have the same chance and 0 once the result is certain. A "
        "game is decided from the moment on after which the winner's chance never falls below 90 % again.",
        not_means="A game that is decided for a search need not be so for people, who may not see it for "
        "long.",
        numbers=(
            *number(study, "decided after, mean", decided, "percent"),
            *number(study, "decided after, median", middle, "percent"),
            *number(study, "decided in the last fifth", late, "percent"),
            *(one for group in numbers for one in group),
        ),
        figures=(
            _over_game(games, study.best.title),
            *strength_chart(
                study,
                "Decision over strength",
                "part of the game",
                [("decided after", lambda some: mean_of(_won(some), decided_at))],
                "After which part of a game it is decided, on average, over the strength of the players.",
                unit="percent",
                searched=True,
            ),
        ),
        links=tuple(_links(won)),
        summary=told,
    )


def _won(games: list[Trace]) -> list[Trace]:
    return [trace for trace in games if not math.isnan(decided_at(trace))]


def _over(trace: Trace, begin: float, end: float) -> float:
    rows = trace.chances[trace.at(begin) : max(trace.at(begin) + 1, trace.at(end))]
    return float(np.mean(openness(rows)))


def _at(trace: Trace, part: float) -> float:
    return float(openness(trace.chances[trace.at(part)]))


def _over_game(games: list[Trace], who: str) -> Chart:
    points = []
    for part in PARTS[:-1]:
        one = mean_of(games, partial(_at, part=part))
        if one:
            points.append(point(100 * part, one, "plain", f"after {100 * part:.0f} % of the game"))
    return Chart(
        "How open games are",
        "part of the game, in percent of its actions",
        "openness",
        (Series("openness", tuple(points), "band"),),
        f"Openness over the course of games of {who}: 1 is level, 0 decided.",
        y_range=(0.0, 1.0),
    )


def _links(won: list[Trace]) -> list[GameLink]:
    if not won:
        return []
    latest = max(won, key=lambda trace: (decided_at(trace), trace.plies, -trace.id.number))
    usual = typical(
        won, decided_at, float(np.median([decided_at(trace) for trace in won])), "A game decided as usual"
    )
    return [usual, GameLink(latest.id, "Decided last", latest.at(decided_at(latest)))]
