"""Benchmark results over time: a dated JSON file for each run, and a page that plots them.

    python -m benchmarks.results [--out .cache/benchmarks.html]

With `--save` a benchmark keeps its figures in `benchmarks/results/NAME/DATE-COMMIT.json`, with the machine
that it ran on. Only figures from the same machine can be compared, so each machine has its own line.
"""

import argparse
import json
import os
import platform
import subprocess
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "results"
PAGE = Path(".cache") / "benchmarks.html"
WIDTH, HEIGHT, EDGE = 640, 160, 12
STYLE = "body { font: 16px/1.5 sans-serif; max-width: 42rem; margin: 2rem auto; } text { font-size: 10px; }"
HUES = ("#1b6ca8", "#b3541e", "#3c7a3c", "#7a3c78")

Point = tuple[str, float]
"""A date and the figure measured then."""


def describe_machine() -> str:
    """Return processor, cores and Python version in one line."""
    return f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def processor() -> str:
    """Return the processor's name, as far as the system reports it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def save(name: str, figures: Mapping[str, float]) -> Path:
    """Save a run's figures, and return the path."""
    date = datetime.now(UTC).strftime("%Y-%m-%dT%H%M")
    commit = _commit()
    result = {"date": date, "commit": commit, "machine": describe_machine(), "figures": dict(figures)}
    path = FOLDER / name / f"{date}-{commit}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return path


def _commit() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    done = subprocess.run(command, cwd=FOLDER.parent, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def read(folder: Path = FOLDER) -> dict[tuple[str, str], dict[str, list[Point]]]:
    """Return the points in order of date, by (benchmark, figure) and machine."""
    series: dict[tuple[str, str], dict[str, list[Point]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted(folder.glob("*/*.json")):
        result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        for figure, value in result["figures"].items():
            series[path.parent.name, figure][result["machine"]].append((result["date"], value))
    return {key: dict(sorted(lines.items())) for key, lines in sorted(series.items())}


def draw(lines: Mapping[str, list[Point]]) -> str:
    """Return an SVG line chart from 0 up, with evenly spaced dates, and values as tooltips."""
    dates = sorted({date for points in lines.values() for date, _ in points})
    top = max((value for points in lines.values() for _, value in points), default=0.0) or 1.0
    step = (WIDTH - 2 * EDGE) / max(1, len(dates) - 1)
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img">', _axes(dates, top)]
    for hue, (machine, points) in zip(HUES * len(lines), lines.items(), strict=False):
        places = [
            (
                EDGE + step * dates.index(date),
                HEIGHT - EDGE - value / top * (HEIGHT - 2 * EDGE),
                f"{date}: {value:,g}",
            )
            for date, value in points
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{hue}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{hue}">'
            f"<title>{escape(f'{machine}, {label}')}</title></circle>"
            for x, y, label in places
        ]
    return "".join([*parts, "</svg>"])


def _axes(dates: list[str], top: float) -> str:
    """Return labelled lines for 0 and for the largest value, and the first and last date."""
    lines = [
        f'<path d="M{EDGE} {y}H{WIDTH - EDGE}" stroke="#bbb"/><text x="{EDGE}" y="{y - 3}">{value:,g}</text>'
        for y, value in ((HEIGHT - EDGE, 0), (EDGE, top))
    ]
    ends = {"start": (EDGE, dates[:1]), "end": (WIDTH - EDGE, dates[1:][-1:])}
    lines += [
        f'<text x="{x}" y="{HEIGHT - 1}" text-anchor="{anchor}">{date}</text>'
        for anchor, (x, shown) in ends.items()
        for date in shown
    ]
    return "".join(lines)


def page(folder: Path = FOLDER) -> str:
    """Draw all series on one self-contained HTML page."""
    parts = ["<!doctype html><meta charset='utf-8'><title>Benchmarks of Kakomi</title>"]
    parts.append(f"<style>{STYLE}</style>")
    parts.append("<h1>Benchmarks</h1>")
    for (name, figure), lines in read(folder).items():
        last = ", ".join(f"{points[-1][1]:,g}" for points in lines.values())
        parts.append(f"<h2>{escape(name)}: {escape(figure)}</h2><p>Last: {last}</p>{draw(lines)}")
    return "\n".join(parts) + "\n"


def main() -> None:
    """Write the page."""
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.results", description=page.__doc__)
    arguments.add_argument("--out", type=Path, default=PAGE, help=f"the page (default {PAGE})")
    chosen = arguments.parse_args()
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(page(), encoding="utf-8")
    print(chosen.out)


if __name__ == "__main__":
    main()
