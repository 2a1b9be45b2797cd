"""How strong the levels are, by their games against their neighbours in this report."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kakomi.study.report.estimates import Estimate, Trend, fitted, student
from kakomi.study.report.study import Study
from kakomi.study.report.trace import Trace
from kakomi.study.tournament import elo_of
from kakomi.study.tournament.statistics import estimated

_NORMAL = student(0.95, 10**9)


@dataclass(frozen=True)
class Step:
    """What a level scores against the one below."""

    level: int
    score: Estimate
    elo: Estimate


def steps(study: Study) -> list[Step]:
    """From random play to the highest level, as far as neighbours met."""
    found: list[Step] = []
    for sample, games in study.ladder:
        score = _score(games, str(sample.level))
        if score is None or len(found) + 1 != sample.level:
            break
        found.append(Step(sample.level, score, _elo(score)))
    return found


def elo_by_level(study: Study) -> Mapping[int, Estimate]:
    """Elo points of each level above level 1, whose own are 0; random play, below it, has negative ones.

    Steps are measured by different games, so their variances add up.
    """
    climbed = steps(study)
    if not climbed:
        return {}
    below = climbed[0].elo.scaled(-1.0)
    ratings = {0: below, 1: Estimate(0.0, math.nan, math.nan, 0, 0, 0.0)}
    for step in climbed[1:]:
        before = ratings[step.level - 1]
        value, error = before.value + step.elo.value, math.hypot(before.error, step.elo.error)
        half = _NORMAL * error
        games, blocks = before.games + step.elo.games, before.blocks + step.elo.blocks
        ratings[step.level] = Estimate(value, value - half, value + half, games, blocks, error)
    return ratings


def trend_of(study: Study, estimate: Callable[[list[Trace]], Estimate | None]) -> Trend | None:
    """The trend of an estimate over the Elo points of the levels, random play left out; None from too few
    levels."""
    ratings = elo_by_level(study)
    found = [
        (ratings[sample.level].value, one)
        for sample, one in study.over_strength(estimate)
        if sample.kind == "self" and sample.level in ratings
    ]
    return fitted([x for x, _ in found], [one for _, one in found])


def _score(games: list[Trace], higher: str) -> Estimate | None:
    """The score of the stronger player from complete blocks."""
    blocks: dict[str, list[float]] = {}
    for trace in games:
        blocks.setdefault(trace.block, []).append(_share(trace, higher))
    if not blocks:
        return None
    size = max(map(len, blocks.values()))
    means = [sum(each) / size for each in blocks.values() if len(each) == size]
    found = estimated(means, size)
    assert found
    error = (found.high - found.low) / (2 * _NORMAL)
    return Estimate(found.score, found.low, found.high, size * len(means), found.blocks, error)


def _share(trace: Trace, higher: str) -> float:
    """The stronger player's score against the weaker, over all pairs of seats."""
    won = [share > 0 and share == max(trace.shares) for share in trace.shares]
    mine = [one for one, name in zip(won, trace.seats, strict=True) if name == higher]
    theirs = [one for one, name in zip(won, trace.seats, strict=True) if name != higher]
    return sum((1 + one - other) / 2 for one in mine for other in theirs) / (len(mine) * len(theirs))


def _elo(score: Estimate) -> Estimate:
    """The Elo difference. A clean sweep counts as half a game less, so that it stays finite; its interval
    doesn't."""
    most = 1 - 1 / (2 * score.games + 2)
    value = elo_of(min(most, max(1 - most, score.value)))
    low, high = elo_of(score.low), elo_of(score.high)
    ends = [abs(end - value) for end in (low, high) if math.isfinite(end)]
    error = max(ends) / _NORMAL if ends else math.inf
    return Estimate(value, low, high, score.games, score.blocks, error)
