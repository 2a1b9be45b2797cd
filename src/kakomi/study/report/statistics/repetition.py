"""Positions that come again within a game, and games that are played twice."""

from kakomi.study.report.content import Section
from kakomi.study.report.estimates import mean
from kakomi.study.report.statistics.shared import number, strength_chart
from kakomi.study.report.study import Study, extreme, mean_of
from kakomi.study.report.wording import in_words


def repetition(study: Study) -> Section:
    """Positions that come again within a game, and games that are played twice."""
    again = mean((trace.block, float(trace.repeated), float(len(trace.hashes))) for trace in study.games)
    assert again
    different = len({trace.actions for trace in study.games})
    most = max(study.games, key=lambda trace: (trace.repeated, -trace.id.number))
    return Section(
        key="repetition",
        title="Repetition",
        group="board",
        finding=f"{in_words(again, 'percent')} of positions had been there before in the same game; of "
        f"{len(study.games):,} games {different:,} differ.",
        means="How often a position comes again in the same game, and whether players of one strength "
        "play the same game twice.",
        not_means="Bots draw on chance, and people do not: that games differ says that there is more than "
        "one way to play, not that all ways are good.",
        numbers=(
            *number(study, "positions that had been there before", again, "percent"),
            *number(study, "repeated positions a game", mean_of(study.games, lambda trace: trace.repeated)),
        ),
        figures=tuple(
            strength_chart(
                study,
                "Repetition over strength",
                "repeated positions a game",
                [("repeated", lambda games: mean_of(games, lambda trace: trace.repeated))],
                "How many positions of a game had been there before, over the strength of the players.",
            )
        )
        if again.value
        else (),
        links=(extreme(study.games, lambda trace: trace.repeated, f"{most.repeated} positions come again"),)
        if most.repeated
        else (),
    )
