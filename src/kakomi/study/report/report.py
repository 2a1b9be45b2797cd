"""A report: what its statistics say, and where it comes from."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import kakomi
from kakomi.core import Game
from kakomi.study.report.content import Cell, Number, Section
from kakomi.study.report.plan import Sample
from kakomi.study.report.statistics import sections
from kakomi.study.report.study import Study
from kakomi.study.report.wording import in_words


@dataclass(frozen=True)
class Origin:
    """Where a report comes from, for its footer."""

    command: str
    seed: int
    budget: str = ""
    planned: int = 0
    """How many games the plan has; 0 for records of one's own."""
    is_complete: bool = True
    more: str = ""
    """How much more would help, in a sentence."""


@dataclass(frozen=True)
class Report:
    """What is known of a game from these games."""

    study: Study
    origin: Origin
    extra: tuple[Section, ...] = ()
    """Sections that need more than the games of one game, such as a comparison."""

    @property
    def game(self) -> Game:
        return self.study.game

    @cached_property
    def sections(self) -> list[Section]:
        """All that there is to say, in the order of the page."""
        from kakomi.study.report.content import GROUPS

        order = list(GROUPS)
        found = [*sections(self.study), *self.extra]
        return sorted(found, key=lambda section: order.index(section.group))

    @property
    def title(self) -> str:
        """The game with its options."""
        options = [f"{name.replace('_', ' ')} {value}" for name, value in self.game.options.items()]
        return " · ".join([self.game.description.title, *options])

    @property
    def summary(self) -> list[str]:
        """The sentences at the top."""
        return [section.summary for section in self.sections if section.summary]

    @property
    def counts(self) -> list[tuple[Sample, int]]:
        """How many games of which players there are."""
        return [(sample, len(games)) for sample, games in self.study.samples.items() if games]

    @property
    def versions(self) -> Mapping[str, str]:
        """What made it."""
        return {"Kakomi": kakomi.__version__, "Python": platform.python_version(), "NumPy": np.__version__}

    def as_object(self) -> dict[str, Any]:
        """All numbers and figures, for programs. Infinite and missing ends are null."""
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "summary": self.summary,
            "origin": vars(self.origin) | {"versions": dict(self.versions)},
            "samples": [
                {"key": sample.key, "title": sample.title, "games": games} for sample, games in self.counts
            ],
            "sections": [_section(section) for section in self.sections],
        }


def _section(section: Section) -> dict[str, Any]:
    from kakomi.study.report.content import BoardMap, Chart, Table

    figures: list[dict[str, Any]] = []
    for figure in section.figures:
        match figure:
            case Chart():
                series = [
                    {
                        "name": one.name,
                        "points": [
                            {"x": p.x, "y": _finite(p.y), "low": _finite(p.low), "high": _finite(p.high)}
                            for p in one.points
                        ],
                    }
                    for one in figure.series
                ]
                figures.append(
                    {"chart": figure.title, "x": figure.x_title, "y": figure.y_title, "series": series}
                )
            case BoardMap():
                figures.append({"map": figure.title, "texts": dict(figure.texts)})
            case Table():
                rows = [[_cell(cell) for cell in row] for row in figure.rows]
                figures.append({"table": figure.title, "columns": list(figure.columns), "rows": rows})
    return {
        "key": section.key,
        "title": section.title,
        "finding": section.finding,
        "means": section.means,
        "not_means": section.not_means,
        "numbers": [_number(number) for number in section.numbers],
        "figures": figures,
        "games": [{"game": str(link.game), "label": link.label, "ply": link.ply} for link in section.links],
    }


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
