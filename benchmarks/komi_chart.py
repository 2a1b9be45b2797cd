"""The fair komi over sizes as a picture: the curve's band, and what was measured at each strength."""

from collections.abc import Mapping, Sequence

from kakomi.core.fair_komi import FairKomi
from kakomi.study.report.content import Chart, DataPoint, Series
from kakomi.study.report.page.charts import HEIGHT, WIDTH, draw_chart

APART = 0.22
"""Between the points of one size, so that their intervals don't hide each other."""
STYLE = """
:root { --paper: #fff; --ink: #211e1a; --soft: #6a635a; --rule: #ddd; font-family: system-ui, sans-serif;
  --c0: #0b62a8; --c1: #c2490f; --c2: #15785a; --c3: #93489a; }
@media (prefers-color-scheme: dark) { :root { --paper: #17181b; --ink: #ebe7e0; --soft: #a9a297; --rule: #444;
  --c0: #74b7f5; --c1: #f39a62; --c2: #63cfa6; --c3: #d9a0dc; } }
text { font-size: 11.5px; fill: var(--soft); } .axis { fill: var(--ink); }
.grid path { stroke: var(--rule); fill: none; }
.c0 { color: var(--c0); } .c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); }
.line { fill: none; stroke: currentColor; stroke-width: 2; } .band { fill: currentColor; opacity: .16; }
.whisker { stroke: currentColor; stroke-width: 1.6; opacity: .6; fill: none; }
.dot { fill: currentColor; stroke: var(--paper); stroke-width: 1.4; } .dot.small { opacity: 0; }
"""


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
    drawing = draw_chart(chart, "komi").partition("\n<ul")[0].replace(" data-chart>", ">", 1)
    root = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
    return drawing.replace("<svg ", root, 1).replace("<title", f"<style>{STYLE}</style>\n<title", 1) + "\n"


def _points(rows: Sequence[FairKomi], shift: float) -> tuple[DataPoint, ...]:
    return tuple(
        DataPoint(row.options["size"] + shift, row.fair, row.low, row.high, told=_told(row)) for row in rows
    )


def _told(row: FairKomi) -> str:
    return f"size {row.options['size']}: {row.fair:.1f}, {row.low:.1f} to {row.high:.1f}".replace("-", "−")
