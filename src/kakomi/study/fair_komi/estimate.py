"""The fair komi from games at several komis: where the first player's share of the win crosses one half.

The share falls with komi as a logistic curve, 1 / (1 + exp((komi - fair) / scale)). Both numbers are fitted
by maximum likelihood; the interval is that of the profile likelihood, in which the scale is free
(D. J. Venzon and S. H. Moolgavkar, "A method for computing profile-likelihood-based confidence intervals",
1988). It needs no standard error, and so holds where the stronger side always wins too: then the curve is a
step somewhere between two komis, and the interval reaches from one to the other.
"""

import math
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
