"""A report: its sections, and where it comes from."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import kakomi
from kakomi.core import Game
from kakomi.study.report.content import GROUPS, Section
from kakomi.study.report.plan import Sample
from kakomi.study.report.statistics import sections
from kakomi.study.report.study import Study


@dataclass(frozen=True)
class Origin:
    """Where a report comes from, for its footer."""

    command: str
    seed: int
    budget: str = ""
    planned: int = 0
    """The number of planned games; 0 for the user's own records."""
    is_complete: bool = True
    more: str = ""
    """A sentence on what a larger budget would add."""


@dataclass(frozen=True)
class Report:
    """A report on a game from a set of played games."""

    study: Study
    origin: Origin
    extra: tuple[Section, ...] = ()
    """Sections that need more than the games of one game, such as a comparison."""

    @property
    def game(self) -> Game:
        return self.study.game

    @cached_property
    def sections(self) -> list[Section]:
        """All sections, in the order of the page."""
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
        """The number of games of each sample that has any."""
        return [(sample, len(games)) for sample, games in self.study.samples.items() if games]

    @property
    def versions(self) -> Mapping[str, str]:
        """The versions of the software that made it."""
        return {"Kakomi": kakomi.__version__, "Python": platform.python_version(), "NumPy": np.__version__}
