"""A report as JSON data."""

from typing import Any

import numpy as np

from kakomi.draw.board_map import BoardMap
from kakomi.study.report.content import Cell, Chart, Figure, Number, Section, Series, in_words
from kakomi.study.report.report import Report


def as_object(report: Report) -> dict[str, Any]:
    """All numbers and figures, for programs. Infinite and missing values are None."""
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
    """A section as JSON data."""
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
