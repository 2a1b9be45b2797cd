"""How much of the board is used."""

from kakomi.study.report.content import Section
from kakomi.study.report.statistics.shared import number, strength_chart
from kakomi.study.report.study import Study, extreme, mean_of
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words


def coverage(study: Study) -> Section:
    """The part of the board that ever held a stone."""
    own, left = (
        mean_of(study.games, lambda trace: trace.covered),
        mean_of(study.games, lambda trace: _filled(study, trace)),
    )
    assert own
    return Section(
        key="coverage",
        title="Coverage",
        group="board",
        finding=f"{in_words(own, 'percent')} of the points hold a stone at some moment of a game.",
        means="Which part of the board's points ever held a stone, and which still does at the end.",
        not_means="A point without a stone may matter all the same, as territory for one.",
        numbers=(
            *number(study, "points that ever held a stone", own, "percent"),
            *number(study, "points with a stone at the end", left, "percent"),
        ),
        figures=tuple(
            strength_chart(
                study,
                "Coverage over strength",
                "part of the board",
                [("ever held a stone", lambda games: mean_of(games, lambda trace: trace.covered))],
                "Which part of the board is used, over the strength of the players.",
                unit="percent",
            )
        ),
        links=(extreme(study.games, lambda trace: -trace.covered, "The emptiest board", study_end(study)),),
    )


def study_end(study: Study) -> int:
    """The last position of the game that covers least."""
    emptiest = max(study.games, key=lambda trace: (-trace.covered, -trace.id.number))
    return emptiest.plies


def _filled(study: Study, trace: Trace) -> float:
    return len(trace.final_stones) / study.game.geometry.points
