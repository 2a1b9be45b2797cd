"""Ratings: estimates of strength, and their updates after results.

The scale is that of the bots' ladder (docs/levels.md), shifted so that the scripted beginner has 1000 points
in every game. It is the Elo scale: a lead of 400 points means odds of 10 to 1 against one opponent, however
many others play.

A result is the ranking of the players, by the model of Plackett (1975) and Luce (1959): each performance is
the player's strength plus Gumbel noise of the same scale for all, and the order of performances is the order
of places. So the probability of first place is proportional to exp(strength / scale), and likewise for the
following places; between two players this is the model of Bradley and Terry, which Elo ratings use.

Each strength has a normal distribution. `posterior` computes its mean and variance after a game, exactly but
for the integration grid, and ignores the new correlations between players (assumed-density filtering). The
usual approximation of Weng and Lin (2011), as in openskill, isn't accurate enough here: with six players its
95 % intervals covered 34 % after 60 games, and the overall mean drifted by an eighth of the initial sigma
(docs/ratings.md).

Performances are independent. So, given the order of places 1 to n, the probability that one of them is at x
with all others in order is the product of the probabilities of the order above x and of the order below x,
each a chain of n - 1 cumulative sums.
"""

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

NODES = 12
"""The nodes of the Gauss-Hermite quadrature over each strength. With the grid below, means and sigmas are
accurate to 1 % of a sigma."""
GRID = 56
"""The number of grid points for performances."""
BELOW, ABOVE, GRID_SIGMAS = 2.0, 5.0, 3.2
"""The margins of the grid beyond all means: in units of the noise scale, and in sigmas."""

_UNIT = np.linspace(0.0, 1.0, GRID)

Moments = list[tuple[float, float]]
"""For each strength: the shift of its mean in prior sigmas, and its variance relative to the prior one."""


@functools.cache
def _rule() -> tuple[np.ndarray, np.ndarray]:
    """Return the quadrature's nodes and weights; cached because this part of NumPy loads slowly."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return nodes, weights / weights.sum()


def posterior(means: Sequence[float], sigmas: Sequence[float], ranks: Sequence[int]) -> Moments:
    """Return the posterior moments of each entrant; means and sigmas are in units of the noise scale.

    For shared places the moments are averaged over several orders of those who share them.
    """
    if len(set(ranks)) == len(ranks):
        return _of_order(means, sigmas, sorted(range(len(ranks)), key=lambda i: ranks[i]))
    first = sorted(range(len(ranks)), key=lambda i: (means[i], sigmas[i]))  # independent of seats
    learned = [_of_order(means, sigmas, order) for order in _orders(ranks, first)]
    count = len(learned)
    return [
        (sum(shift for shift, _ in of_one) / count, sum(left for _, left in of_one) / count)
        for of_one in zip(*learned, strict=True)
    ]


def _orders(ranks: Sequence[int], known: Sequence[int]) -> Iterator[list[int]]:
    """Yield orders of the entrants by place in which entrants who share a place precede each other equally
    often. `known` lists the entrants in an order that doesn't depend on their seats."""
    groups = [[i for i in known if ranks[i] == place] for place in sorted(set(ranks))]
    for turn in range(max(map(len, groups))):
        turned = [[*group[turn % len(group) :], *group[: turn % len(group)]] for group in groups]
        yield [i for group in turned for i in group]
        yield [i for group in turned for i in reversed(group)]


def _of_order(means: Sequence[float], sigmas: Sequence[float], order: Sequence[int]) -> Moments:
    """Return the posterior moments for an order without ties."""
    centres, widths = [means[i] for i in order], [sigmas[i] for i in order]
    low = min(c - GRID_SIGMAS * w for c, w in zip(centres, widths, strict=True)) - BELOW
    high = max(c + GRID_SIGMAS * w for c, w in zip(centres, widths, strict=True)) + ABOVE
    nodes, node_weights = _rule()
    strengths = np.array(centres)[:, None] - low + np.array(widths)[:, None] * nodes
    # the Gumbel density on the grid, for every node of every strength, up to a constant factor
    rates = np.exp(strengths)[:, :, None] * np.exp((low - high) * _UNIT)
    density = rates * np.exp(-rates)
    in_order = _in_order(node_weights @ density)
    weights = (density @ in_order[:, :, None])[:, :, 0] * node_weights
    weights /= weights.sum(axis=1)[:, None]
    shifts = weights @ nodes
    left = (weights @ (nodes * nodes) - shifts * shifts).tolist()
    found: Moments = [(0.0, 1.0)] * len(order)
    for i, shift, variance in zip(order, shifts.tolist(), left, strict=True):
        found[i] = (shift, variance)
    return found


def _in_order(density: np.ndarray) -> np.ndarray:
    """Return, for each place and grid point, the probability of the order of all others given that place's
    performance there, up to a constant factor."""
    above, below = np.ones(density.shape), np.ones(density.shape)
    last = len(density) - 1
    for place in range(last, 0, -1):
        mass = density[place] * below[place]
        below[place - 1] = mass.cumsum() - 0.5 * mass
    for place in range(last):
        mass = density[place] * above[place]
        sums = mass.cumsum()
        above[place + 1] = sums[-1] - sums + 0.5 * mass
    return above * below


POINTS = 400 / math.log(10)
"""The noise scale of the model, in points."""
BEGINNER = 1000.0
"""The rating of the scripted beginner, the zero of the bots' ladder."""
SIGMAS = 1.959964
"""The half-width of a normal distribution's central 95 % interval, in sigmas."""
LOWEST, HIGHEST = 0.0, 4500.0
"""The limits of means; the strongest level has 3358."""
NARROWEST = 20.0
"""The minimum sigma, because nobody's strength stays constant."""
WIDENING = 25.0
"""The growth of the variance per day without a result, in points²: a sigma of 60 becomes 113 in a year."""
PROVISIONAL = 200.0
"""A rating is provisional while its 95 % interval reaches farther than this to either side, in points."""
SHOWN_AFTER = 5
"""The rated games before which a rating says too little to be shown."""
PLACES = 3
"""The decimals of ratings. Rounding hides that processors differ in the last digits of exponentials."""


@dataclass(frozen=True)
class Rating:
    """An estimate of strength: a normal distribution, in points."""

    mean: float
    sigma: float

    @property
    def reach(self) -> float:
        """The half-width of the 95 % interval."""
        return SIGMAS * self.sigma

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.mean - self.reach

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.mean + self.reach

    @property
    def is_provisional(self) -> bool:
        """Whether the interval is still too wide to be meaningful."""
        return self.reach > PROVISIONAL

    def after_days(self, days: float) -> "Rating":
        """Return the rating after days without a result; it becomes at most as uncertain as a newcomer's."""
        return self.widened(WIDENING * max(days, 0.0))

    def widened(self, variance: float) -> "Rating":
        """Return the rating with a variance, in points², added."""
        wide = min(math.sqrt(self.sigma**2 + variance), max(FIRST.sigma, self.sigma))
        return Rating(self.mean, round(wide, PLACES))


FIRST = Rating(1150.0, 225.0)
"""The rating of a newcomer, between levels 1 and 2. `tests/contest/newcomers.py` measures its effect."""
ANCHORED = 60.0
"""The sigma of a bot's level on the board of its ladder, from the ladder's confidence intervals."""
ANCHORED_ELSEWHERE = 150.0
"""The same on other boards, where levels weren't measured."""


def anchor(elo: float, *, is_measured: bool = True) -> Rating:
    """Return the rating of a bot `elo` points above the beginner. It is fixed, to anchor the scale."""
    return Rating(BEGINNER + elo, ANCHORED if is_measured else ANCHORED_ELSEWHERE)


def rate(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Return the ratings after a game with these places; lower is better.

    Raises ValueError for fewer than two players, or if the numbers of ratings and places differ.
    """
    if len(ratings) < 2 or len(places) != len(ratings):
        raise ValueError(f"a rated game has two players or more, each with a place: {len(ratings)} have not")
    centre = sum(rating.mean for rating in ratings) / len(ratings)
    means = [(rating.mean - centre) / POINTS for rating in ratings]
    moments = posterior(means, [rating.sigma / POINTS for rating in ratings], places)
    return [_moved(rating, *moment) for rating, moment in zip(ratings, moments, strict=True)]


def _moved(rating: Rating, shift: float, left: float) -> Rating:
    mean = min(max(rating.mean + rating.sigma * shift, LOWEST), HIGHEST)
    sigma = max(rating.sigma * math.sqrt(left), min(NARROWEST, rating.sigma))
    return Rating(round(mean, PLACES), round(sigma, PLACES))


def chance(one: Rating, other: Rating) -> float:
    """Return the probability that one finishes ahead of another, including both uncertainties.

    It uses MacKay's approximation (1992) of the logistic function averaged over a normal distribution.
    """
    doubt = math.pi / 8 * (one.sigma**2 + other.sigma**2)
    return 1 / (1 + math.exp((other.mean - one.mean) / math.sqrt(POINTS**2 + doubt)))


def expected_place(ratings: Sequence[Rating], seat: int) -> float:
    """Return the expected place of a seat."""
    return 1 + sum(chance(other, ratings[seat]) for i, other in enumerate(ratings) if i != seat)
