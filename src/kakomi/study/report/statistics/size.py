"""Statistics of the number of legal actions and the size of a game."""

import math

import numpy as np

from kakomi.study.report.content import Chart, DataPoint, Number, Section, Series, in_words
from kakomi.study.report.estimates import Estimate, mean
from kakomi.study.report.statistics.shared import number, point, strength_chart
from kakomi.study.report.study import Study, extreme, mean_of
from kakomi.study.report.trace import Trace

MOST_POINTS = 80
STILL_GOING = 0.1
"""Curves by action end where a smaller fraction of the games is still going on."""


def branching(study: Study) -> Section:
    """Legal actions per position, over the course of a game and over strength."""
    own = _mean(study.games)
    assert own
    choice = mean(
        (trace.block, float((trace.branching > 1).sum()), float(trace.plies)) for trace in study.games
    )
    start = study.games[0].branching[:1].tolist()
    return Section(
        key="branching",
        title="Branching",
        group="size",
        finding=f"A player chooses among {in_words(own, 'plain')} actions on average"
        + (f"; at the start there are {start[0]}." if start and study.best.kind == "self" else "."),
        means="The number of legal actions in a position, averaged over all positions of all games.",
        not_means="Few of them may be worth a thought, and several actions can make one turn; two actions "
        "that a symmetry of the board makes alike are counted twice.",
        numbers=(
            *number(study, "legal actions a position", own),
            *number(study, "positions with a choice", choice, "percent"),
        ),
        figures=(
            _by_ply(study.games, study.best.title),
            *strength_chart(
                study,
                "Branching over strength",
                "legal actions",
                [("mean", _mean)],
                "The mean number of legal actions, over the strength of the players.",
            ),
        ),
        links=(extreme(study.games, lambda trace: float(trace.branching.max()), *_widest(study.games)),),
    )


def _mean(games: list[Trace]) -> Estimate | None:
    return mean((trace.block, float(trace.branching.sum()), float(trace.plies)) for trace in games)


def _widest(games: list[Trace]) -> tuple[str, int]:
    widest = max(games, key=lambda trace: (trace.branching.max(), -trace.id.number))
    return f"The widest choice: {widest.branching.max()} actions", int(widest.branching.argmax())


def _by_ply(games: list[Trace], who: str) -> Chart:
    going = np.sort([trace.plies for trace in games])[::-1]
    longest = int(going[min(len(going) - 1, int(STILL_GOING * len(going)))])
    step = max(1, -(-longest // MOST_POINTS))
    points: list[DataPoint] = []
    for ply in range(0, longest, step):
        one = mean((trace.block, float(trace.branching[ply]), 1.0) for trace in games if trace.plies > ply)
        if one:
            points.append(point(ply + 1, one, "plain", f"action {ply + 1}"))
    return Chart(
        "Legal actions over a game",
        "action",
        "legal actions",
        (Series("legal actions", tuple(points), "band"),),
        f"How many actions were legal at each action of games of {who}, on average of those that were "
        "still going on.",
    )


def complexity(study: Study) -> Section:
    """The size of the game tree and the number of positions, as powers of ten."""
    own = mean_of(study.games, _log_product)
    assert own
    random = mean_of(study.random, _log_product)
    tree = _tree_bound(study)
    positions = _positions_bound(study)
    seen = _seen(study)
    numbers = [
        *number(study, "game tree, by games of the strongest players", own, "power"),
        *(
            [
                Number(
                    "game tree, lower bound",
                    random,
                    "power",
                    "random play",
                    "By Knuth's estimate and Jensen's inequality.",
                )
            ]
            if random
            else []
        ),
        *(
            [_exact("game tree, upper bound", tree, "The longest game, and all actions at each step.")]
            if tree
            else []
        ),
        _exact(
            "boards with a player to act, upper bound",
            positions,
            "Every point empty or with any piece, and each player to act.",
        ),
        _exact(
            "positions, lower bound: seen in this report", math.log10(seen), f"{seen:,} different positions."
        ),
    ]
    return Section(
        key="complexity",
        title="Complexity",
        group="size",
        finding=f"Its game tree has about {in_words(own, 'power')} leaves; there are at most "
        f"10 to the power of {positions:.0f} boards.",
        means="The size of the game tree is the number of different games; it is the product of the "
        "numbers of legal actions along a game, in powers of ten. Intervals are of the mean exponent.",
        not_means="It says how hard it is to look at everything, and not how deep or hard a game is for "
        "people. Positions are counted as boards with a player to act; what else a position holds, such "
        "as points scored, is left out of the upper bound.",
        numbers=tuple(numbers),
        method="Random play draws each action with equal chance, so the product of the numbers of legal "
        "actions is on average the number of leaves (Knuth 1975); the mean of its logarithm is at most "
        "the logarithm of its mean, and so a lower bound. Allis (1994) uses mean length and branching for "
        "the first number.",
    )


def _log_product(trace: Trace) -> float:
    return float(np.log10(trace.branching).sum())


def _tree_bound(study: Study) -> float | None:
    game = study.game
    limit = game.description.max_game_length
    return limit(game.geometry, game.options) * math.log10(len(game.actions)) if limit else None


def _positions_bound(study: Study) -> float:
    game = study.game
    return game.geometry.points * math.log10(1 + game.players * game.kinds) + math.log10(game.players)


def _seen(study: Study) -> int:
    parts = [trace.hashes for games in study.samples.values() for trace in games]
    return len(np.unique(np.concatenate(parts)))


def _exact(label: str, value: float, note: str) -> Number:
    return Number(label, Estimate(value, math.nan, math.nan, 0, 0), "power", "", note)
