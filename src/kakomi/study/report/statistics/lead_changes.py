"""How often the lead passes, and how large the steps are."""

from kakomi.study.report.content import GameLink, Section
from kakomi.study.report.statistics import standing
from kakomi.study.report.statistics.shared import number, strength_chart
from kakomi.study.report.study import Study, mean_of
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

SWING = 0.2
"""So much must a chance change at once for an action to turn the game."""


def lead_changes(study: Study) -> Section | None:
    """Changes of the lead and turning points a game; None where no search says how games stood."""
    games = study.searched
    if not games:
        return None
    own = mean_of(games, _changes)
    assert own
    most = max(games, key=lambda trace: (_changes(trace), -trace.id.number))
    widest = max(games, key=lambda trace: (standing.swings(trace).max(), -trace.id.number))
    at = widest.opening + int(standing.swings(widest).argmax())
    return Section(
        key="leads",
        title="Changes of the lead",
        group="course",
        finding=f"The lead passes {in_words(own, 'plain')} times a game.",
        means="Whoever's chance is largest leads; the lead passes when another chance is larger by 5 "
        "points. A turning point is an action by which somebody's chance changes by 20 points or more.",
        not_means="Chances are what the players' searches expected before each action. Two players see "
        "the same position differently, which counts as a change too.",
        numbers=(
            *number(study, "changes of the lead, a game", own),
            *number(study, "turning points, a game", mean_of(games, _turning_points)),
        ),
        figures=tuple(
            strength_chart(
                study,
                "Changes of the lead over strength",
                "changes a game",
                [("changes of the lead", lambda some: mean_of(some, _changes))],
                "How often the lead passes, over the strength of the players.",
                searched=True,
            )
        ),
        links=(
            GameLink(most.id, "The lead passes most often", (standing.lead_changes(most) or [0])[0]),
            GameLink(widest.id, "The largest swing", at),
        ),
    )


def _changes(trace: Trace) -> float:
    return float(len(standing.lead_changes(trace)))


def _turning_points(trace: Trace) -> float:
    return float((standing.swings(trace) >= SWING).sum())
