"""A report as data that JSON can hold, as Markdown, and on paper."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kakomi.study.report.content import (
    GROUPS,
    BoardMap,
    Cell,
    Chart,
    Figure,
    Number,
    Section,
    Series,
    Table,
    games_in_words,
    in_words,
)
from kakomi.study.report.report import Report


def as_object(report: Report) -> dict[str, Any]:
    """All numbers and figures, for programs. Infinite and missing ends are null."""
    samples = [{"key": sample.key, "title": sample.title, "games": games} for sample, games in report.counts]
    return {
        "game": report.game.name,
        "options": dict(report.game.options),
        "summary": report.summary,
        "origin": vars(report.origin) | {"versions": dict(report.versions)},
        "samples": samples,
        "sections": [section_object(section) for section in report.sections],
    }


def section_object(section: Section) -> dict[str, Any]:
    """A section with all that is in it."""
    return {
        "key": section.key,
        "title": section.title,
        "finding": section.finding,
        "means": section.means,
        "not_means": section.not_means,
        "numbers": [_number(number) for number in section.numbers],
        "figures": [_figure(figure) for figure in section.figures],
        "games": [{"game": str(link.game), "label": link.label, "ply": link.ply} for link in section.links],
    }


def _figure(figure: Figure) -> dict[str, Any]:
    match figure:
        case Chart():
            series = [_series(one) for one in figure.series]
            return {"chart": figure.title, "x": figure.x_title, "y": figure.y_title, "series": series}
        case BoardMap():
            return {"map": figure.title, "texts": dict(figure.texts)}
        case _:
            rows = [[_cell(cell) for cell in row] for row in figure.rows]
            return {"table": figure.title, "columns": list(figure.columns), "rows": rows}


def _series(series: Series) -> dict[str, Any]:
    points = [
        {"x": one.x, "y": _finite(one.y), "low": _finite(one.low), "high": _finite(one.high)}
        for one in series.points
    ]
    return {"name": series.name, "points": points}


def _number(number: Number) -> dict[str, Any]:
    one = number.estimate
    return {
        "label": number.label,
        "value": _finite(one.value),
        "low": _finite(one.low),
        "high": _finite(one.high),
        "unit": number.unit,
        "players": number.players,
        "games": one.games,
        "blocks": one.blocks,
        "words": in_words(one, number.unit),
    }


def _cell(cell: Cell) -> Any:
    return _number(cell.number) if cell.number else cell.text


def _finite(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else float(value)


def markdown(report: Report) -> str:
    """The whole report; equal reports give equal texts."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# {report.title}"
    yield ""
    yield from (f"- {sentence}" for sentence in report.summary)
    for group, title in GROUPS.items():
        inside = [section for section in report.sections if section.group == group]
        if inside:
            yield from ("", f"## {title}")
        for section in inside:
            yield from _section(section)
    yield from ("", "## Where this comes from", "")
    yield from (f"- {sample.title}: {games:,} games" for sample, games in report.counts)
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    yield from ("", f"`{report.origin.command}` · seed {report.origin.seed} · {versions}")
    if report.origin.more:
        yield from ("", report.origin.more)


def _section(section: Section) -> Iterator[str]:
    yield from ("", f"### {section.title}", "", section.finding)
    if section.numbers:
        yield from ("", "| number | value (95 %) | players | games |", "| --- | --- | --- | --- |")
        yield from (_row(number) for number in section.numbers)
    for figure in section.figures:
        if isinstance(figure, Table):
            yield from _table(figure)
    yield from ("", f"What it means: {section.means}", "", f"What it does not mean: {section.not_means}")


def _row(number: Number) -> str:
    one = number.estimate
    behind = games_in_words(one) if one.games else ""
    label = f"{number.label} ({number.note})" if number.note else number.label
    return f"| {_clean(label)} | {in_words(one, number.unit)} | {_clean(number.players)} | {behind} |"


def _table(table: Table) -> Iterator[str]:
    yield from ("", f"{table.title}: {table.about}".removesuffix(": "), "")
    yield f"| {' | '.join(table.columns)} |"
    yield f"|{' --- |' * len(table.columns)}"
    yield from (f"| {' | '.join(_markdown_cell(cell) for cell in row)} |" for row in table.rows)


def _markdown_cell(cell: Cell) -> str:
    return in_words(cell.number.estimate, cell.number.unit) if cell.number else _clean(cell.text)


def _clean(text: str) -> str:
    return text.replace("|", "\\|")


BROWSERS = (
    "chromium",
    "chromium-browser",
    "chromium-headless-shell",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
SECONDS = 180
_OPTIONS = (
    "--headless",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--no-pdf-header-footer",
)


class NoBrowser(RuntimeError):  # noqa: N818 (says what is the matter)
    """Nothing here prints a page; the message says what would."""


def print_page(page: str, to: Path) -> None:
    """Print a page into a PDF file. Raises NoBrowser, and OSError for a file that can't be written."""
    browser = find_browser()
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        sandbox = () if not _is_root() else ("--no-sandbox",)  # Chromium refuses to run as root with one
        command = [browser, *_OPTIONS, *sandbox, f"--user-data-dir={folder}/profile"]
        try:
            run = subprocess.run(
                [*command, f"--print-to-pdf={made}", source.as_uri()],
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NoBrowser(
                f"{browser} did not print the page within {SECONDS} s: write HTML, and print that"
            ) from None
        if run.returncode or not made.is_file():
            raise NoBrowser(
                f"{browser} printed nothing (exit code {run.returncode}): write HTML, and print that"
            )
        shutil.copyfile(made, to)


def find_browser() -> str:
    """The first Chromium on the PATH. Raises NoBrowser if there is none."""
    found = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if found is None:
        raise NoBrowser("a PDF needs Chromium or Chrome on the PATH: install one, or write HTML and print it")
    return found


def _is_root() -> bool:
    import os

    return hasattr(os, "geteuid") and os.geteuid() == 0
