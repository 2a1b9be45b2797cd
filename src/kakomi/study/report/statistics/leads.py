"""Whether who leads wins: by the score, and by what a search expects."""

from collections.abc import Iterator

import numpy as np

from kakomi.study.report.content import Chart, DataPoint, GameLink, Section, Series
from kakomi.study.report.estimates import Estimate, mean, share
from kakomi.study.report.statistics.shared import PARTS, number, point
from kakomi.study.report.study import Study
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

BINS = 10
MOMENTS = tuple(step / 10 for step in range(1, 10))
"""Of a game, at which a search's expectation is held against the result."""


def leads(study: Study) -> Section:
    """How often who leads at some moment wins, and whether searches expect rightly."""
    games = study.games
    half = _leader_wins(games, 0.5)
    charts = [_leads_chart(study), *_calibration(study)]
    finding = (
        f"Whoever has the higher score half way wins {in_words(half, 'percent')} of games."
        if half
        else "Nobody has the higher score half way."
    )
    misled = _misled(games)
    return Section(
        key="results",
        title="Leads and results",
        group="course",
        finding=finding,
        means="The share of the win of whoever leads alone at a moment of the game: by the score that the "
        "rules would count then, and by the expectation of the player's search.",
        not_means="In some games the score says little before the end, and a lead in it may be bought by "
        "a bad position; that shows as a curve near even.",
        numbers=(
            *number(study, "who leads by score half way wins", half, "percent"),
            *number(
                study, "who leads by search half way wins", _favourite_wins(study.searched, 0.5), "percent"
            ),
            *number(study, "somebody leads by score half way", _has_leader(games, 0.5), "percent"),
        ),
        figures=tuple(charts),
        links=(GameLink(misled.id, "A lead half way that lost", misled.at(0.5)),) if misled else (),
    )


def _score_leader(trace: Trace, part: float) -> int | None:
    row = trace.scores[trace.at(part)]
    return int(row.argmax()) if (row == row.max()).sum() == 1 else None


def _leader_wins(games: list[Trace], part: float) -> Estimate | None:
    led = [(trace, _score_leader(trace, part)) for trace in games]
    return share((trace.block, trace.shares[leader], 1.0) for trace, leader in led if leader is not None)


def _favourite_wins(games: list[Trace], part: float) -> Estimate | None:
    rows = [(trace, trace.chances[trace.at(part)]) for trace in games]
    return share(
        (trace.block, trace.shares[int(row.argmax())], 1.0) for trace, row in rows if np.ptp(row) > 0
    )


def _has_leader(games: list[Trace], part: float) -> Estimate | None:
    return share((trace.block, float(_score_leader(trace, part) is not None), 1.0) for trace in games)


def _misled(games: list[Trace]) -> Trace | None:
    found = [
        trace
        for trace in games
        if (leader := _score_leader(trace, 0.5)) is not None and trace.winner not in (leader, None)
    ]
    return max(found, key=lambda trace: (_lead(trace), -trace.id.number)) if found else None


def _lead(trace: Trace) -> float:
    ordered = np.sort(trace.scores[trace.at(0.5)])
    return float(ordered[-1] - ordered[-2])


def _leads_chart(study: Study) -> Chart:
    lines = [("by the score", study.games, _leader_wins)]
    if study.searched:
        lines.append(("by search", study.searched, _favourite_wins))
    series = []
    for name, games, estimate in lines:
        found = [(part, estimate(games, part)) for part in PARTS[1:]]
        points = tuple(
            point(100 * part, one, "percent", f"{name}, after {100 * part:.0f} % of the game")
            for part, one in found
            if one and one.blocks >= len(games) / 5
        )
        series.append(Series(name, points))
    return Chart(
        "Who leads wins",
        "part of the game, in percent of its actions",
        "share of the win",
        tuple(series),
        f"How often whoever leads alone at a moment wins in the end, in games of {study.best.title}.",
        "percent",
        level=1 / study.game.players,
    )


def _moments(games: list[Trace]) -> Iterator[tuple[Trace, float, float]]:
    """Games with the chance that the player to act expected, and what that player got."""
    for trace in games:
        for part in MOMENTS:
            at = min(trace.at(part), trace.plies - 1)
            mover = trace.movers[at]
            yield trace, float(trace.chances[at, mover]), trace.shares[mover]


def _calibration(study: Study) -> list[Chart]:
    """What searches expected beside what came of it."""
    found = list(_moments(study.searched))
    points = []
    for number_of_bin in range(BINS):
        low, high = number_of_bin / BINS, (number_of_bin + 1) / BINS
        inside = [one for one in found if low <= one[1] < high or (high == 1 and one[1] == 1)]
        one = mean((trace.id.__str__(), came, 1.0) for trace, _, came in inside)
        if one and one.has_interval:
            expected = sum(chance for _, chance, _ in inside) / len(inside)
            clipped = Estimate(one.value, max(0.0, one.low), min(1.0, one.high), one.games, one.blocks)
            points.append(
                DataPoint(
                    100 * expected,
                    one.value,
                    clipped.low,
                    clipped.high,
                    f"expected {100 * expected:.0f} %, came {in_words(clipped, 'percent')} from "
                    f"{one.blocks} games",
                )
            )
    if not points:
        return []
    even = (DataPoint(0, 0.0), DataPoint(100, 1.0))
    return [
        Chart(
            "Does a search expect rightly?",
            "expected share of the win, in percent",
            "share of the win that came",
            (
                Series("as expected", even, "line", is_faint=True),
                Series(study.best.title, tuple(points), "points"),
            ),
            "At nine moments of each game, the chance that the player to act expected, and what that "
            "player got. On the line a search is right; below it, it hopes for too much.",
            "percent",
            y_range=(0.0, 1.0),
        )
    ]
