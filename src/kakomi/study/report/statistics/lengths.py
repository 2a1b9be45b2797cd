"""How long games are, and the shortest of them."""

import numpy as np

from kakomi.study.report.content import Chart, DataPoint, GameLink, Section, Series
from kakomi.study.report.estimates import mean, quantile
from kakomi.study.report.statistics.shared import number, strength_chart
from kakomi.study.report.study import Study, mean_of, typical
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

MOST_BARS = 24
SHORTEST = 3


def lengths(study: Study) -> Section:
    """Actions and turns of a game, their spread, and the shortest games."""
    games = study.games
    actions = mean_of(games, lambda trace: trace.plies)
    assert actions
    values = [(trace.block, float(trace.plies), 1.0) for trace in games]
    a_turn = mean((trace.block, trace.plies, _turns(trace)) for trace in games)
    shortest = sorted(games, key=lambda trace: (trace.plies, trace.id.number))[:SHORTEST]
    return Section(
        key="lengths",
        title="Length",
        group="course",
        finding=f"A game takes {in_words(actions, 'plain')} actions on average between players of "
        f"{study.best.title}.",
        means="An action is what a player does at once, such as placing a stone; a turn is all that a "
        "player does until another one is to act.",
        not_means="People resign, and bots play on to the end: games between people are shorter. Games of "
        "weaker players may be much longer or shorter, as the chart shows.",
        numbers=(
            *number(study, "actions a game, mean", actions),
            *number(study, "actions a game, median", quantile(values)),
            *number(study, "a tenth of games is shorter than", quantile(values, 0.1)),
            *number(study, "a tenth of games is longer than", quantile(values, 0.9)),
            *number(study, "turns a game, mean", mean_of(games, _turns)),
            *number(study, "actions a turn, mean", a_turn),
        ),
        figures=(
            _histogram(games, study.best.title),
            *strength_chart(
                study,
                "Length over strength",
                "actions a game",
                [("mean", lambda games: mean_of(games, lambda trace: trace.plies))],
                "The mean number of actions of a game, over the strength of the players.",
            ),
        ),
        links=(
            typical(games, lambda trace: trace.plies, actions.value, "A game of usual length"),
            *(GameLink(trace.id, f"Short: {trace.plies} actions") for trace in shortest),
        ),
        summary=f"It lasts {in_words(actions, 'plain')} actions.",
    )


def _turns(trace: Trace) -> float:
    return float(trace.turns[-1] + 1) if trace.plies else 0.0


def _histogram(games: list[Trace], who: str) -> Chart:
    plies = np.array([trace.plies for trace in games])
    width = max(1, -(-int(np.ptp(plies) + 1) // MOST_BARS))
    starts = np.arange(plies.min(), plies.max() + 1, width)
    points = []
    for start in starts.tolist():
        inside = [trace for trace in games if start <= trace.plies < start + width]
        span = f"{start}" if width == 1 else f"{start} to {start + width - 1}"
        link = GameLink(inside[0].id, f"{inside[0].plies} actions") if inside else None
        points.append(
            DataPoint(
                start + (width - 1) / 2,
                float(len(inside)),
                told=f"{span} actions: {len(inside)} games",
                link=link,
            )
        )
    return Chart(
        "How long games are",
        "actions",
        "games",
        (Series("games", tuple(points), "bars"),),
        f"How many of {len(games):,} games of {who} took how many actions.",
    )
