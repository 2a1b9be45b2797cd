"""Parts shared by several statistics: numbers, charts, the strength of levels from their games against
neighbouring levels, measures of the chances over a game, and turns up to symmetry.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.contest.estimate import elo_of, estimated
from kakomi.core import Game
from kakomi.study.report.content import Chart, DataPoint, Number, Series, Unit, games_in_words, in_words
from kakomi.study.report.estimates import Estimate, Trend, fitted, mean, student
from kakomi.study.report.plan import Sample
from kakomi.study.report.study import Study, mean_of, share_of
from kakomi.study.report.trace import Trace

PARTS = tuple(step / 20 for step in range(21))
"""The moments at which curves have a point, as fractions of a game's actions."""
Line = tuple[str, Callable[[list[Trace]], Estimate | None]]
"""A line of a chart over strength: its name, and a function that estimates it from games."""
STRENGTH = "players, from weak to strong"


def number(
    study: Study,
    label: str,
    estimate: Estimate | None,
    unit: Unit = "plain",
    sample: Sample | None = None,
    note: str = "",
) -> list[Number]:
    """A number from the strongest players' games, or from a sample, in a list that is empty without it."""
    if estimate is None:
        return []
    return [Number(label, estimate, unit, (sample or study.best).title, note)]


def point(x: float, estimate: Estimate, unit: Unit, who: str = "") -> DataPoint:
    """An estimate as a point of a chart."""
    low, high = (estimate.low, estimate.high) if estimate.has_interval else (None, None)
    start = f"{who}: " if who else ""
    return DataPoint(
        x, estimate.value, low, high, f"{start}{in_words(estimate, unit)}, {games_in_words(estimate)}"
    )


def strength_label(sample: Sample) -> str:
    """The label of a sample on the axis of strength."""
    return "random" if sample.kind == "random" else str(sample.level) if sample.level else "these"


def strength_chart(
    study: Study,
    title: str,
    y_title: str,
    lines: Sequence[Line],
    about: str,
    *,
    unit: Unit = "plain",
    searched: bool = False,
    level: float | None = None,
) -> list[Chart]:
    """A chart of estimates over strength in a list that is empty for fewer than two strengths, or if nothing
    varies."""
    series: list[Series] = []
    labels: dict[float, str] = {}
    varies = False
    for name, estimate in lines:
        found = study.over_strength(estimate, searched=searched)
        varies |= any(one.has_interval for _, one in found) or len({one.value for _, one in found}) > 1
        labels |= {float(sample.level): strength_label(sample) for sample, _ in found}
        points = tuple(point(sample.level, one, unit, f"{name}, {sample.title}") for sample, one in found)
        series.append(Series(name, points))
    if len(labels) < 2 or not varies:
        return []
    return [
        Chart(
            title,
            "levels of bots" if searched else "random play and levels of bots",
            y_title,
            tuple(series),
            about,
            unit,
            labels,
            level,
        )
    ]


MARGIN = 0.05
"""How far another chance must exceed the leader's to change the lead, since searches are noisy."""
DECIDED = 0.9
"""The winner's chance from which a game counts as decided."""


def rows(trace: Trace) -> np.ndarray:
    """The players' chances before each action after the opening, without the result."""
    return trace.chances[trace.opening : trace.plies]


def leaders(trace: Trace) -> list[int]:
    """The leader before each action. The lead changes when another chance is larger by `MARGIN`."""
    chances = rows(trace)
    leading, found = int(chances[0].argmax()), []
    for row in chances:
        first = int(row.argmax())
        if row[first] > row[leading] + MARGIN:
            leading = first
        found.append(leading)
    return found


def lead_changes(trace: Trace) -> list[int]:
    """The actions before which the lead changed."""
    led = leaders(trace)
    return [trace.opening + place for place in range(1, len(led)) if led[place] != led[place - 1]]


def drama(trace: Trace) -> float:
    """How far the winner was behind: the mean square root of the gap to the leader, over all moments at which
    the winner was behind; 0 if there were none, NaN for a draw."""
    if trace.winner is None:
        return float("nan")
    chances = rows(trace)
    behind = chances.max(axis=1) - chances[:, trace.winner]
    behind = behind[behind > 0]
    return float(np.sqrt(behind).mean()) if behind.size else 0.0


def deepest(trace: Trace) -> int:
    """The action before which the winner's chance was smallest."""
    assert trace.winner is not None
    return trace.opening + int(rows(trace)[:, trace.winner].argmin())


def decided_at(trace: Trace) -> float:
    """The fraction of the game after which the winner's chance stays at least `DECIDED`; NaN for a draw."""
    if trace.winner is None:
        return float("nan")
    open_still = np.flatnonzero(rows(trace)[:, trace.winner] < DECIDED)
    return float(open_still[-1] + 1) / trace.played if open_still.size else 0.0


def uncertainty(chances: np.ndarray) -> np.ndarray:
    """How open positions are, from 0 (decided) to 1 (equal chances): the entropy of the chances divided by
    its maximum."""
    held = np.clip(chances, 1e-12, 1.0)
    entropy: np.ndarray = -(held * np.log(held)).sum(axis=-1) / np.log(chances.shape[-1])
    return entropy


def swings(trace: Trace) -> np.ndarray:
    """For each action, the largest change of any player's chance."""
    changes: np.ndarray = np.abs(np.diff(trace.chances[trace.opening :], axis=0)).max(axis=1)
    return changes


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
    """The measures that apply to a game: all, but draws only if it has any."""
    return [measure for measure in MEASURES if measure[0] != DRAWS or game.description.has_draws]


_NORMAL = student(0.95, 10**9)


@dataclass(frozen=True)
class Step:
    """A level's score against the one below."""

    level: int
    score: Estimate
    elo: Estimate


def steps(study: Study) -> list[Step]:
    """The steps from random play to the highest level, up to the first without games."""
    found: list[Step] = []
    for sample, games in study.ladder:
        score = _score(games, str(sample.level))
        if score is None or len(found) + 1 != sample.level:
            break
        found.append(Step(sample.level, score, _elo(score)))
    return found


def elo_by_level(study: Study) -> Mapping[int, Estimate]:
    """Elo points of each level relative to level 1; random play is level 0.

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
    """The trend of an estimate over the Elo points of the levels, without random play; None with too few
    levels."""
    ratings = elo_by_level(study)
    found = [
        (ratings[sample.level].value, one)
        for sample, one in study.over_strength(estimate)
        if sample.kind == "self" and sample.level in ratings
    ]
    return fitted([x for x, _ in found], [one for _, one in found])


def _score(games: list[Trace], higher: str) -> Estimate | None:
    """The stronger player's score in complete blocks."""
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
    """The Elo difference. A clean sweep counts half a game less to keep the value finite, if not its end."""
    most = 1 - 1 / (2 * score.games + 2)
    value = elo_of(min(most, max(1 - most, score.value)))
    low, high = elo_of(score.low), elo_of(score.high)
    ends = [abs(end - value) for end in (low, high) if math.isfinite(end)]
    error = max(ends) / _NORMAL if ends else math.inf
    return Estimate(value, low, high, score.games, score.blocks, error)


def turn_up_to_symmetry(game: Game, turn: Sequence[int]) -> tuple[int, ...]:
    """The smallest image of a first turn under the symmetries; actions are sorted if all are placements."""
    kinds = {game.actions[action].kind for action in turn}
    images = (tuple(symmetry.actions[action] for action in turn) for symmetry in game.known_symmetries)
    return min(tuple(sorted(image)) if kinds == {"place"} else image for image in images)
