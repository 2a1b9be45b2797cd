"""How large the game is: its tree, and the number of its positions, with bounds."""

import math

import numpy as np

from kakomi.study.report.content import Number, Section
from kakomi.study.report.estimates import Estimate
from kakomi.study.report.statistics.shared import number
from kakomi.study.report.study import Study, mean_of
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words


def complexity(study: Study) -> Section:
    """Powers of ten."""
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
