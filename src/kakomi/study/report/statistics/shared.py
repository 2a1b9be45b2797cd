"""What several statistics say alike: numbers, charts, how a game stood as it went on, what is compared."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from kakomi.core import Game
from kakomi.study.report.content import Chart, DataPoint, Number, Series, Unit
from kakomi.study.report.estimates import Estimate, mean
from kakomi.study.report.plan import Sample
from kakomi.study.report.study import Study, mean_of, share_of
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import games_in_words, in_words

PARTS = tuple(step / 20 for step in range(21))
"""Moments of a game, as parts of its actions, at which curves have a point."""
Line = tuple[str, Callable[[list[Trace]], Estimate | None]]
"""A line of a chart over strength: its name, and its estimate from games."""
STRENGTH = "players, from weak to strong"


def number(
    study: Study,
    label: str,
    estimate: Estimate | None,
    unit: Unit = "plain",
    sample: Sample | None = None,
    note: str = "",
) -> list[Number]:
    """A number of the strongest players' games, or of those of a sample; none without an estimate."""
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
    """A sample on the axis of strength."""
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
    """A chart of estimates over strength, a line for each name; none with fewer than two
    strengths, or of what never varies."""
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
"""So much larger than the leader's must another chance be to make a new leader: searches are noisy."""
DECIDED = 0.9
"""A chance from which a game counts as decided."""


def rows(trace: Trace) -> np.ndarray:
    """The players' chances from the first action that somebody chose to the last, the result left out."""
    return trace.chances[trace.opening : trace.plies]


def leaders(trace: Trace) -> list[int]:
    """Who leads before each action. A lead passes when another chance is larger by `MARGIN`."""
    chances = rows(trace)
    leading, found = int(chances[0].argmax()), []
    for row in chances:
        first = int(row.argmax())
        if row[first] > row[leading] + MARGIN:
            leading = first
        found.append(leading)
    return found


def lead_changes(trace: Trace) -> list[int]:
    """The actions before which the lead had passed."""
    led = leaders(trace)
    return [trace.opening + place for place in range(1, len(led)) if led[place] != led[place - 1]]


def drama(trace: Trace) -> float:
    """How far behind the winner was while behind: the mean root of the leader's lead over them, over all
    moments at which they were behind; 0 if they never were. NaN for a draw."""
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
    """The part of the game after which the winner's chance never fell below `DECIDED` again; NaN for a
    draw."""
    if trace.winner is None:
        return float("nan")
    open_still = np.flatnonzero(rows(trace)[:, trace.winner] < DECIDED)
    return float(open_still[-1] + 1) / trace.played if open_still.size else 0.0


def uncertainty(chances: np.ndarray) -> np.ndarray:
    """How open positions are, from 0, decided, to 1, all players alike: the entropy of their chances over its
    maximum."""
    held = np.clip(chances, 1e-12, 1.0)
    entropy: np.ndarray = -(held * np.log(held)).sum(axis=-1) / np.log(chances.shape[-1])
    return entropy


def swings(trace: Trace) -> np.ndarray:
    """By how much each action changed the chance that changed most."""
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
    """Those that can differ: of games without draws nobody counts any."""
    return [measure for measure in MEASURES if measure[0] != DRAWS or game.description.has_draws]
