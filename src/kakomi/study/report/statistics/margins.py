"""By how much games are won, and where there is komi, what another one would change."""

from functools import partial

import numpy as np

from kakomi.study.report.content import Chart, DataPoint, Figure, GameLink, Section, Series
from kakomi.study.report.estimates import Estimate, quantile
from kakomi.study.report.statistics.shared import number, point, strength_chart
from kakomi.study.report.study import Study, extreme, mean_of, share_of
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

MOST_BARS = 30


def margins(study: Study) -> Section | None:
    """The winner's score less the best other one's; None for games in which scores never differ at the
    end."""
    won = [
        trace for trace in study.games if trace.winner is not None and trace.ending in ("rules", "counted")
    ]
    if not won or len({margin(trace) for trace in won}) < 2:
        return None
    middle = quantile((trace.block, margin(trace), 1.0) for trace in won)
    least = min(margin(trace) for trace in won)
    close = share_of(won, lambda trace: margin(trace) == least)
    assert middle
    nearest = min(won, key=lambda trace: (margin(trace), -trace.plies, trace.id.number))
    figures: list[Figure] = [_histogram(won, study.best.title)]
    figures += strength_chart(
        study,
        "Margins over strength",
        "margin",
        [("mean margin", _mean)],
        "By how much games are won on average, over the strength of the players.",
    )
    return Section(
        key="margins",
        title="Margins",
        group="course",
        finding=f"Half of all won games are won by {in_words(middle, 'plain')} or less.",
        means="The winner's score at the end less the best other player's, in games that somebody won by "
        "the score.",
        not_means="Who is sure to win by one point often does no more, and who is sure to lose plays for "
        "luck: a margin says little of how close a game was before its end.",
        numbers=(
            *number(study, "margin, median", middle),
            *number(study, "margin, mean", mean_of(won, margin)),
            *number(study, f"won by {least:g}, the least there was", close, "percent"),
        ),
        figures=(*figures, *_komi(study)),
        links=(
            GameLink(nearest.id, f"Won by {margin(nearest):g}", nearest.plies),
            extreme(won, margin, "The largest margin"),
        ),
    )


def margin(trace: Trace) -> float:
    """The highest score at the end less the next one."""
    ordered = np.sort(trace.scores[-1])
    return float(ordered[-1] - ordered[-2])


def _mean(games: list[Trace]) -> Estimate | None:
    return mean_of([trace for trace in games if trace.winner is not None], margin)


def _histogram(won: list[Trace], who: str) -> Chart:
    found = np.array([margin(trace) for trace in won])
    width = max(1, -(-int(np.ptp(found) + 1) // MOST_BARS))
    points = []
    for start in range(int(found.min()), int(found.max()) + 1, width):
        count = int(((found >= start) & (found < start + width)).sum())
        span = f"{start}" if width == 1 else f"{start} to {start + width - 1}"
        points.append(DataPoint(start + (width - 1) / 2, float(count), told=f"by {span}: {count} games"))
    about = f"By how much {len(won):,} games of {who} were won."
    return Chart("Margins", "margin", "games", (Series("games", tuple(points), "bars"),), about)


def _komi(study: Study) -> list[Chart]:
    """What the first seat would have won at other komis with the same play, where the game has komi."""
    option = study.game.description.komi_option
    if not option or study.game.players != 2:
        return []
    komi = study.game.options[option]
    allowed = sorted(study.game.description.komi.allowed_given(study.game.options))
    leads = np.array([trace.scores[-1][0] - trace.scores[-1][1] for trace in study.games])
    low, high = komi + np.quantile(leads, [0.02, 0.98])
    shown = [one for one in allowed if low - 2 <= one <= high + 2]
    points = []
    for one in shown:
        found = share_of(study.games, partial(_first_wins, shift=one - komi))
        if found:
            points.append(point(float(one), found, "percent", f"komi {one}"))
    about = (
        f"What {study.game.player_names[0]} would win at each komi if everybody had played as they did at "
        f"komi {komi}. It is a first look: who knows of another komi plays otherwise."
    )
    series = (Series("first seat", tuple(points), "band"),)
    return [
        Chart(
            "Other komis, with the same play", "komi", "share of the win", series, about, "percent", level=0.5
        )
    ]


def _first_wins(trace: Trace, shift: float) -> float:
    """What the first seat gets if the other one gets so many points more."""
    lead = float(trace.scores[-1][0] - trace.scores[-1][1]) - shift
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
