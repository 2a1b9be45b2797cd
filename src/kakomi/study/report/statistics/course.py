"""Statistics of the course of a game: its length, when it is decided, and who leads."""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from kakomi.study.report.content import Chart, DataPoint, Figure, GameLink, Section, Series, in_words
from kakomi.study.report.estimates import Estimate, mean, quantile, share
from kakomi.study.report.statistics import shared
from kakomi.study.report.statistics.shared import (
    PARTS,
    decided_at,
    deepest,
    drama,
    number,
    point,
    rows,
    strength_chart,
)
from kakomi.study.report.statistics.shared import uncertainty as openness
from kakomi.study.report.study import Study, extreme, mean_of, share_of, typical
from kakomi.study.report.trace import Trace

MOST_BARS = 24
SHORTEST = 3


def lengths(study: Study) -> Section:
    """The number of actions and turns in a game, their spread, and the shortest games."""
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


THIRDS = (("first third", 0.0, 1 / 3), ("second third", 1 / 3, 2 / 3), ("last third", 2 / 3, 1.0))
LATE = 0.8


def uncertainty(study: Study) -> Section | None:
    """Openness over the course of a game, and when games are decided; None without games with chances."""
    games = study.searched
    if not games:
        return None
    won = _won(games)
    decided, late = mean_of(won, decided_at), share_of(won, lambda trace: decided_at(trace) >= LATE)
    middle = quantile((trace.block, decided_at(trace), 1.0) for trace in won)
    numbers = [
        number(study, f"openness, {name}", mean_of(games, partial(_over, begin=begin, end=end)))
        for name, begin, end in THIRDS
    ]
    told = (
        f"Half of all games are decided after {in_words(middle, 'percent')} of their actions."
        if middle
        else ""
    )
    return Section(
        key="uncertainty",
        title="Uncertainty and decision",
        group="course",
        finding=told,
        means="Openness is 1 while all players have the same chance and 0 once the result is certain. A "
        "game is decided from the moment on after which the winner's chance never falls below 90 % again.",
        not_means="A game that is decided for a search need not be so for people, who may not see it for "
        "long.",
        numbers=(
            *number(study, "decided after, mean", decided, "percent"),
            *number(study, "decided after, median", middle, "percent"),
            *number(study, "decided in the last fifth", late, "percent"),
            *(one for group in numbers for one in group),
        ),
        figures=(
            _over_game(games, study.best.title),
            *strength_chart(
                study,
                "Decision over strength",
                "part of the game",
                [("decided after", lambda some: mean_of(_won(some), decided_at))],
                "After which part of a game it is decided, on average, over the strength of the players.",
                unit="percent",
                searched=True,
            ),
        ),
        links=tuple(_links(won)),
        summary=told,
    )


def _won(games: list[Trace]) -> list[Trace]:
    return [trace for trace in games if not math.isnan(decided_at(trace))]


def _over(trace: Trace, begin: float, end: float) -> float:
    rows = trace.chances[trace.at(begin) : max(trace.at(begin) + 1, trace.at(end))]
    return float(np.mean(openness(rows)))


def _at(trace: Trace, part: float) -> float:
    return float(openness(trace.chances[trace.at(part)]))


def _over_game(games: list[Trace], who: str) -> Chart:
    points = []
    for part in PARTS[:-1]:
        one = mean_of(games, partial(_at, part=part))
        if one:
            points.append(point(100 * part, one, "plain", f"after {100 * part:.0f} % of the game"))
    return Chart(
        "How open games are",
        "part of the game, in percent of its actions",
        "openness",
        (Series("openness", tuple(points), "band"),),
        f"Openness over the course of games of {who}: 1 is level, 0 decided.",
        y_range=(0.0, 1.0),
    )


def _links(won: list[Trace]) -> list[GameLink]:
    if not won:
        return []
    latest = max(won, key=lambda trace: (decided_at(trace), trace.plies, -trace.id.number))
    usual = typical(
        won, decided_at, float(np.median([decided_at(trace) for trace in won])), "A game decided as usual"
    )
    return [usual, GameLink(latest.id, "Decided last", latest.at(decided_at(latest)))]


NEARLY_LOST = 0.5
"""As a multiple of an even share of the win: winning after so low a chance is a comeback."""


def dramas(study: Study) -> Section | None:
    """Drama of won games, and comebacks; None without won games with chances."""
    won = _drama_won(study.searched)
    if not won:
        return None
    own, back = mean_of(won, drama), share_of(won, _came_back)
    assert own and back
    best = max(won, key=lambda trace: (drama(trace), -trace.id.number))
    return Section(
        key="drama",
        title="Drama",
        group="course",
        finding=f"In {in_words(back, 'percent')} of won games the winner had stood nearly lost before.",
        means="Drama is high if those who win were far behind on the way: the mean root of the gap to the "
        "leader, over all moments at which the later winner was behind, from 0 to 1. A comeback is a win "
        "after a chance of half of an even share or less.",
        not_means="How a game stood is what the players' own searches expected, who may have been wrong: "
        "drama between weak bots is partly their misjudgement.",
        numbers=(*number(study, "drama", own), *number(study, "comebacks", back, "percent")),
        figures=tuple(
            strength_chart(
                study,
                "Comebacks over strength",
                "share of won games",
                [("comebacks", lambda games: share_of(_drama_won(games), _came_back))],
                "How often winners had stood nearly lost, over the strength of the players.",
                unit="percent",
                searched=True,
            )
        ),
        links=(GameLink(best.id, "The most dramatic game, at its turning point", deepest(best)),),
    )


def _drama_won(games: list[Trace]) -> list[Trace]:
    return [trace for trace in games if not math.isnan(drama(trace))]


def _came_back(trace: Trace) -> bool:
    assert trace.winner is not None
    return bool(rows(trace)[:, trace.winner].min() <= NEARLY_LOST / len(trace.shares))


SWING = 0.2
"""How much an action must change a player's chance to be a turning point."""


def lead_changes(study: Study) -> Section | None:
    """Changes of the lead and turning points per game; None without games with chances."""
    games = study.searched
    if not games:
        return None
    own = mean_of(games, _changes)
    assert own
    most = max(games, key=lambda trace: (_changes(trace), -trace.id.number))
    widest = max(games, key=lambda trace: (shared.swings(trace).max(), -trace.id.number))
    at = widest.opening + int(shared.swings(widest).argmax())
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
            GameLink(most.id, "The lead passes most often", (shared.lead_changes(most) or [0])[0]),
            GameLink(widest.id, "The largest swing", at),
        ),
    )


def _changes(trace: Trace) -> float:
    return float(len(shared.lead_changes(trace)))


def _turning_points(trace: Trace) -> float:
    return float((shared.swings(trace) >= SWING).sum())


BINS = 10
MOMENTS = tuple(step / 10 for step in range(1, 10))
"""Moments of a game at which the searches' expectations are compared with the result."""


def leads(study: Study) -> Section:
    """How often the leader at a given moment wins, and how well searches are calibrated."""
    games = study.games
    half = _leader_wins(games, 0.5)
    charts = [_leads_chart(study), *_calibration(study)]
    finding = (
        f"Whoever has the higher score half way wins {in_words(half, 'percent')} of games."
        if half
        else "Nobody has the higher score half way."
    )
    misled = _misled(games)
    return Section(
        key="results",
        title="Leads and results",
        group="course",
        finding=finding,
        means="The share of the win of whoever leads alone at a moment of the game: by the score that the "
        "rules would count then, and by the expectation of the player's search.",
        not_means="In some games the score says little before the end, and a lead in it may be bought by "
        "a bad position; that shows as a curve near even.",
        numbers=(
            *number(study, "who leads by score half way wins", half, "percent"),
            *number(
                study, "who leads by search half way wins", _favourite_wins(study.searched, 0.5), "percent"
            ),
            *number(study, "somebody leads by score half way", _has_leader(games, 0.5), "percent"),
        ),
        figures=tuple(charts),
        links=(GameLink(misled.id, "A lead half way that lost", misled.at(0.5)),) if misled else (),
    )


def _score_leader(trace: Trace, part: float) -> int | None:
    row = trace.scores[trace.at(part)]
    return int(row.argmax()) if (row == row.max()).sum() == 1 else None


def _leader_wins(games: list[Trace], part: float) -> Estimate | None:
    led = [(trace, _score_leader(trace, part)) for trace in games]
    return share((trace.block, trace.shares[leader], 1.0) for trace, leader in led if leader is not None)


def _favourite_wins(games: list[Trace], part: float) -> Estimate | None:
    rows = [(trace, trace.chances[trace.at(part)]) for trace in games]
    return share(
        (trace.block, trace.shares[int(row.argmax())], 1.0) for trace, row in rows if np.ptp(row) > 0
    )


def _has_leader(games: list[Trace], part: float) -> Estimate | None:
    return share((trace.block, float(_score_leader(trace, part) is not None), 1.0) for trace in games)


def _misled(games: list[Trace]) -> Trace | None:
    found = [
        trace
        for trace in games
        if (leader := _score_leader(trace, 0.5)) is not None and trace.winner not in (leader, None)
    ]
    return max(found, key=lambda trace: (_lead(trace), -trace.id.number)) if found else None


def _lead(trace: Trace) -> float:
    ordered = np.sort(trace.scores[trace.at(0.5)])
    return float(ordered[-1] - ordered[-2])


def _leads_chart(study: Study) -> Chart:
    lines = [("by the score", study.games, _leader_wins)]
    if study.searched:
        lines.append(("by search", study.searched, _favourite_wins))
    series = []
    for name, games, estimate in lines:
        found = [(part, estimate(games, part)) for part in PARTS[1:]]
        points = tuple(
            point(100 * part, one, "percent", f"{name}, after {100 * part:.0f} % of the game")
            for part, one in found
            if one and one.blocks >= len(games) / 5
        )
        series.append(Series(name, points))
    return Chart(
        "Who leads wins",
        "part of the game, in percent of its actions",
        "share of the win",
        tuple(series),
        f"How often whoever leads alone at a moment wins in the end, in games of {study.best.title}.",
        "percent",
        level=1 / study.game.players,
    )


def _moments(games: list[Trace]) -> Iterator[tuple[Trace, float, float]]:
    """For each game and moment, the game, the mover's expected share of the win, and their actual share."""
    for trace in games:
        for part in MOMENTS:
            at = min(trace.at(part), trace.plies - 1)
            mover = trace.movers[at]
            yield trace, float(trace.chances[at, mover]), trace.shares[mover]


def _calibration(study: Study) -> list[Chart]:
    """The calibration of searches: expected against actual shares of the win."""
    found = list(_moments(study.searched))
    points = []
    for number_of_bin in range(BINS):
        low, high = number_of_bin / BINS, (number_of_bin + 1) / BINS
        inside = [one for one in found if low <= one[1] < high or (high == 1 and one[1] == 1)]
        one = mean((trace.id.__str__(), came, 1.0) for trace, _, came in inside)
        if one and one.has_interval:
            expected = sum(chance for _, chance, _ in inside) / len(inside)
            clipped = Estimate(one.value, max(0.0, one.low), min(1.0, one.high), one.games, one.blocks)
            points.append(
                DataPoint(
                    100 * expected,
                    one.value,
                    clipped.low,
                    clipped.high,
                    f"expected {100 * expected:.0f} %, came {in_words(clipped, 'percent')} from "
                    f"{one.blocks} games",
                )
            )
    if not points:
        return []
    even = (DataPoint(0, 0.0), DataPoint(100, 1.0))
    return [
        Chart(
            "Does a search expect rightly?",
            "expected share of the win, in percent",
            "share of the win that came",
            (
                Series("as expected", even, "line", is_faint=True),
                Series(study.best.title, tuple(points), "points"),
            ),
            "At nine moments of each game, the chance that the player to act expected, and what that "
            "player got. On the line a search is right; below it, it hopes for too much.",
            "percent",
            y_range=(0.0, 1.0),
        )
    ]


MARGINS_MOST_BARS = 30


def margins(study: Study) -> Section | None:
    """The winner's score less the best other score; None if all games are won by the same margin."""
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
    figures: list[Figure] = [_margins_histogram(won, study.best.title)]
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
    """The highest final score less the second highest."""
    ordered = np.sort(trace.scores[-1])
    return float(ordered[-1] - ordered[-2])


def _mean(games: list[Trace]) -> Estimate | None:
    return mean_of([trace for trace in games if trace.winner is not None], margin)


def _margins_histogram(won: list[Trace], who: str) -> Chart:
    found = np.array([margin(trace) for trace in won])
    width = max(1, -(-int(np.ptp(found) + 1) // MARGINS_MOST_BARS))
    points = []
    for start in range(int(found.min()), int(found.max()) + 1, width):
        count = int(((found >= start) & (found < start + width)).sum())
        span = f"{start}" if width == 1 else f"{start} to {start + width - 1}"
        points.append(DataPoint(start + (width - 1) / 2, float(count), told=f"by {span}: {count} games"))
    about = f"By how much {len(won):,} games of {who} were won."
    return Chart("Margins", "margin", "games", (Series("games", tuple(points), "bars"),), about)


def _komi(study: Study) -> list[Chart]:
    """What the first seat would have won with the same play at other komis, for games with komi."""
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
    """The first seat's share of the win if the second seat gets `shift` more points."""
    lead = float(trace.scores[-1][0] - trace.scores[-1][1]) - shift
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
