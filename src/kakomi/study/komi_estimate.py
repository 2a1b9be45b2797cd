"""The fair komi from games at several komis: where the first player's share of the win crosses one half.

The share falls with komi as a logistic curve, 1 / (1 + exp((komi - fair) / scale)). Both numbers are fitted
by maximum likelihood; the interval is that of the profile likelihood, in which the scale is free
(D. J. Venzon and S. H. Moolgavkar, "A method for computing profile-likelihood-based confidence intervals",
1988). It needs no standard error, and so holds where the stronger side always wins too: then the curve is a
step somewhere between two komis, and the interval reaches from one to the other.

At which komis the next games are played: round the one that looks fair, as wide as it is still in doubt.

Games far from the fair komi are nearly always won by the same side and tell little. So the first ones
are spread over all komis that may be fair, and the later ones over those that still may be, to both
sides of a half. Two imaginary games, one won by the first player at a low komi and one lost at a high one,
keep the first rounds from running away; they count for the choice of komis alone.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.study.report.estimates import LEVEL, student

Observations = Sequence[tuple[float, float]]
"""For each game its komi and the first player's share of the win: 1, 0, or ½ for a draw."""

FAIRS = 241
SCALES = 120
NARROWEST = 0.02
"""The smallest scale that is tried, in steps between komis: as good as a sharp edge."""
GAMES_A_DEGREE = 10
"""So many games count as a degree of freedom of Student's distribution. Komis are chosen after the results
of earlier games, which makes plain intervals a little too narrow: those from 200 games held the truth in
92.6 % of 1,000 simulations on a wide curve (`benchmarks.komi_coverage`)."""
ALIKE = 0.005
"""Log-likelihoods that differ by less are the same: the middle of the likeliest komis is told."""


@dataclass(frozen=True)
class KomiEstimate:
    """The fair komi of a board among players of some strength, with its 95 % interval.

    An end of the interval is infinite where the games don't bound it.
    """

    fair: float
    low: float
    high: float
    scale: float
    """How much less komi takes the first player's share from a half to 73 %; next to nothing for a sharp
    edge."""
    games: int

    @property
    def error(self) -> float:
        """The standard error that goes with an interval so wide."""
        return (self.high - self.low) / (2 * student(LEVEL, 10**9))

    def share(self, komi: float) -> float:
        """The first player's share of the win at a komi."""
        return float(np.exp(-np.logaddexp(0.0, (komi - self.fair) / self.scale)))


def estimated(
    observed: Observations, step: float, *, drop: float | None = None, tried: int = SCALES
) -> KomiEstimate:
    """The estimate from games between equals whose komis are `step` apart. Raises ValueError without games.

    `drop` is how far the log-likelihood falls at the interval's ends; by default as far as for Student's 95 %
    interval, with a degree of freedom for every `GAMES_A_DEGREE` games. `tried` is the number of scales.
    """
    if not observed:
        raise ValueError("there is no game to tell a fair komi from")
    fall = student(LEVEL, max(2, len(observed) / GAMES_A_DEGREE)) ** 2 / 2 if drop is None else drop
    komis, counts, won = _counted(observed)
    span = max(float(komis[-1] - komis[0]), 4 * step)
    scales = np.geomspace(NARROWEST * step, 2 * span, tried)
    first, last = float(komis[0]) - span, float(komis[-1]) + span
    fairs = np.linspace(first, last, FAIRS)
    inside = _within(_profile(fairs, scales, komis, counts, won)[0], fall)
    width = fairs[1] - fairs[0]
    finer = np.linspace(fairs[inside[0]] - width, fairs[inside[-1]] + width, FAIRS)
    profile, best_scales = _profile(finer, scales, komis, counts, won)
    near, likeliest = _within(profile, fall), _within(profile, ALIKE)
    middle = round((likeliest[0] + likeliest[-1]) / 2)
    return KomiEstimate(
        fair=float(finer[middle]),
        low=-math.inf if inside[0] == 0 else float(finer[near[0]]),
        high=math.inf if inside[-1] == FAIRS - 1 else float(finer[near[-1]]),
        scale=float(best_scales[middle]),
        games=len(observed),
    )


def _counted(observed: Observations) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Different komis in order, how many games were played at each, and what the first player won there."""
    played = np.array([komi for komi, _ in observed], float)
    komis, places = np.unique(played, return_inverse=True)
    shares = np.array([share for _, share in observed], float)
    return komis, np.bincount(places).astype(float), np.bincount(places, weights=shares)


def _profile(
    fairs: np.ndarray, scales: np.ndarray, komis: np.ndarray, counts: np.ndarray, won: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For each fair komi the log-likelihood with the scale that suits it best, and that scale."""
    logits = (komis - fairs[:, None, None]) / scales[None, :, None]
    log_likelihood = ((counts - won) * logits - counts * np.logaddexp(0.0, logits)).sum(axis=2)
    return log_likelihood.max(axis=1), scales[log_likelihood.argmax(axis=1)]


def _within(profile: np.ndarray, fall: float) -> np.ndarray:
    """The places at which the log-likelihood is at most so far below its largest."""
    places: np.ndarray = np.flatnonzero(profile >= profile.max() - fall)
    return places


ROUND = 20
"""Games between two looks at the results."""
REACH = 1 / 8
"""Of the points on the board: how far from the first guess a fair komi is looked for."""
SPREAD = 1.1
"""In scales to either side: there the first player wins three quarters and one quarter."""
ONE_ERROR = 0.5
"""The fall of the log-likelihood at one standard error."""
ROUGHLY = 30
"""Scales that are tried: enough to choose komis by."""


def next_komis(
    observed: Observations, allowed: Sequence[int], guess: float, reach: float, games: int = ROUND
) -> list[int]:
    """The komis of the next games, out of the allowed ones in order, after what was observed so far.

    `guess` and `reach` say where the fair komi is looked for at first: within so many points of the guess.
    """
    imaginary = [(guess - reach, 1.0), (guess + reach, 0.0)]
    step = float(allowed[1] - allowed[0]) if len(allowed) > 1 else 1.0
    found = estimated([*observed, *imaginary], step, drop=ONE_ERROR, tried=ROUGHLY)
    low = max(min(found.low, found.fair - SPREAD * found.scale), guess - 4 * reach)
    high = min(max(found.high, found.fair + SPREAD * found.scale), guess + 4 * reach)
    if not observed:
        low, high = guess - reach, guess + reach
    targets = [low + (high - low) * (place + 0.5) / games for place in range(games)]
    return [_beside(target, allowed, place % 2 == 0) for place, target in enumerate(targets)]


def _beside(target: float, allowed: Sequence[int], below: bool) -> int:
    """The nearest allowed komi on one side: on both sides of a step there have to be games."""
    place = bisect_right(allowed, target) - 1 if below else bisect_left(allowed, target)
    return allowed[min(len(allowed) - 1, max(0, place))]
