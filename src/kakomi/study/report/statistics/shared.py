"""What several statistics say in the same way."""

from collections.abc import Callable, Sequence

from kakomi.study.report.content import Chart, DataPoint, Number, Series, Unit
from kakomi.study.report.estimates import Estimate
from kakomi.study.report.plan import Sample
from kakomi.study.report.study import Study
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
