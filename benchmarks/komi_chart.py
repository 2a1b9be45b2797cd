"""The fair komi over sizes as a picture: the curve's band, and what was measured at each strength."""

from collections.abc import Mapping, Sequence

from benchmarks.charts import as_file
from kakomi.core.fair_komi import FairKomi
from kakomi.study.report.content import Chart, DataPoint, Series

APART = 0.22
"""Between the points of one size, so that their intervals don't hide each other."""


def picture(
    title: str, curve: Sequence[FairKomi], by_strength: Mapping[int, Sequence[FairKomi]], range_: float
) -> str:
    """A chart as an SVG file; komis beyond `range_` to either side of zero are cut off."""
    middle = (len(by_strength) - 1) / 2
    measured = [
        Series(f"{simulations:,} simulations", _points(rows, (place - middle) * APART), form="points")
        for place, (simulations, rows) in enumerate(by_strength.items())
    ]
    chart = Chart(
        title,
        "size",
        "fair komi",
        (Series("the curve", _points(curve, 0.0), form="band"), *measured),
        "The curve with its 95 % band, and what was measured, with 95 % intervals.",
        y_range=(-range_ / 2, range_),
    )
    return as_file(chart, "komi")


def _points(rows: Sequence[FairKomi], shift: float) -> tuple[DataPoint, ...]:
    return tuple(
        DataPoint(row.options["size"] + shift, row.fair, row.low, row.high, told=_told(row)) for row in rows
    )


def _told(row: FairKomi) -> str:
    return f"size {row.options['size']}: {row.fair:.1f}, {row.low:.1f} to {row.high:.1f}".replace("-", "−")
