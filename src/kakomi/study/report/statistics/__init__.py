"""The statistics of a report, each a function from a `Study` to a `Section`, or to None where it has
nothing to say."""

from collections.abc import Callable

from kakomi.study.report.content import Section
from kakomi.study.report.statistics.action_kinds import action_kinds
from kakomi.study.report.statistics.branching import branching
from kakomi.study.report.statistics.coalitions import coalitions
from kakomi.study.report.statistics.complexity import complexity
from kakomi.study.report.statistics.coverage import coverage
from kakomi.study.report.statistics.drama import dramas
from kakomi.study.report.statistics.endings import endings
from kakomi.study.report.statistics.fair_komi import fair_komi
from kakomi.study.report.statistics.heat_maps import heat_maps
from kakomi.study.report.statistics.kingmaking import kingmaking
from kakomi.study.report.statistics.lead_changes import lead_changes
from kakomi.study.report.statistics.leads import leads
from kakomi.study.report.statistics.lengths import lengths
from kakomi.study.report.statistics.margins import margins
from kakomi.study.report.statistics.mirror import mirror
from kakomi.study.report.statistics.openings import openings
from kakomi.study.report.statistics.repetition import repetition
from kakomi.study.report.statistics.seats import seats
from kakomi.study.report.statistics.skill import skill
from kakomi.study.report.statistics.solved import solved
from kakomi.study.report.statistics.trends import trends
from kakomi.study.report.statistics.uncertainty import uncertainty
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
    """What there is to say about the games of a study."""
    return [section for statistic in STATISTICS if (section := statistic(study)) is not None]
