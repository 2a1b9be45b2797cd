"""The statistics of a report: functions from a `Study` to a `Section`, or to None if there is nothing to
report."""

from collections.abc import Callable

from kakomi.study.report.content import Section
from kakomi.study.report.statistics.board import action_kinds, coverage, heat_maps, repetition
from kakomi.study.report.statistics.course import dramas, lead_changes, leads, lengths, margins, uncertainty
from kakomi.study.report.statistics.fairness import endings, fair_komi, seats
from kakomi.study.report.statistics.known import solved
from kakomi.study.report.statistics.players import coalitions, kingmaking
from kakomi.study.report.statistics.size import branching, complexity
from kakomi.study.report.statistics.skill import mirror, openings, skill, trends
from kakomi.study.report.study import Study

STATISTICS: tuple[Callable[[Study], Section | None], ...] = (
    seats,
    fair_komi,
    endings,
    lengths,
    uncertainty,
    dramas,
    lead_changes,
    leads,
    margins,
    branching,
    complexity,
    coverage,
    heat_maps,
    action_kinds,
    repetition,
    skill,
    trends,
    openings,
    mirror,
    kingmaking,
    coalitions,
    solved,
)


def sections(study: Study) -> list[Section]:
    """The sections of all statistics that apply to a study."""
    return [section for statistic in STATISTICS if (section := statistic(study)) is not None]
