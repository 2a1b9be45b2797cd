"""Ratings: what is known of somebody's strength, and what a result adds to it.

The scale is that of the bots' ladder (docs/levels.md), moved up: the scripted beginner has 1000 points in
every game. It is Elo's: 400 points more are odds of 10 to 1 against one opponent, however many others play.

A result is the order of those who played, by the model of Plackett (1975) and Luce (1959). Everybody's
performance is their strength plus Gumbel noise, the same for all, and the order of performances is the order
of the places. So the first of several wins with a probability in proportion to exp(strength / scale), and the
others follow in the same way; between two it is the model of Bradley and Terry, which Elo ratings use.

Strengths are known as normal distributions. `posterior` gives mean and variance of each after a game, exactly
but for the grid on which it integrates, and forgets that they now depend on each other (assumed-density
filtering). The usual short cut of Weng and Lin (2011), which openskill has, is not good enough here: with six
players its 95 % intervals covered 34 % after 60 games, and the mean of all drifted by an eighth of the first
sigma (docs/ratings.md).

Performances are independent of each other. So with those of places 1, 2, ..., n in that order, the
probability that one of them is at x and all the others in order is what has to lie above x times what has to
lie below, each a chain of n - 1 cumulative sums.
"""

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

NODES = 12
"""Points at which each strength is looked at, of a Gauss-Hermite rule. With the grid below, means and sigmas
are right to 1 % of a sigma."""
GRID = 56
"""Points of the grid of performances."""
BELOW, ABOVE, GRID_SIGMAS = 2.0, 5.0, 3.2
"""How far the grid reaches beyond all means, in scales of the noise and in sigmas."""

_UNIT = np.linspace(0.0, 1.0, GRID)

Moments = list[tuple[float, float]]
"""Of each strength, in its prior sigmas: by how much the mean moves, and what is left of the variance."""


@functools.cache
def _rule() -> tuple[np.ndarray, np.ndarray]:
    """Where strengths are looked at, and with which weights; by a part of NumPy that loads slowly."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return nodes, weights / weights.sum()


def posterior(means: Sequence[float], sigmas: Sequence[float], ranks: Sequence[int]) -> Moments:
    """What the places say, by entrant; means and sigmas are in scales of the noise.

    Those who share a place are rated by the mean of what different orders among them would say.
    """
    if len(set(ranks)) == len(ranks):
        return _of_order(means, sigmas, sorted(range(len(ranks)), key=lambda i: ranks[i]))
    first = sorted(range(len(ranks)), key=lambda i: (means[i], sigmas[i]))  # whatever their seats are
    learned = [_of_order(means, sigmas, order) for order in _orders(ranks, first)]
    count = len(learned)
    return [
        (sum(shift for shift, _ in of_one) / count, sum(left for _, left in of_one) / count)
        for of_one in zip(*learned, strict=True)
    ]


def _orders(ranks: Sequence[int], known: Sequence[int]) -> Iterator[list[int]]:
    """Several orders of the entrants by place, in which each of those who share one is before each other one
    as often as behind. `known` are the entrants in an order that doesn't depend on their seats."""
    groups = [[i for i in known if ranks[i] == place] for place in sorted(set(ranks))]
    for turn in range(max(map(len, groups))):
        turned = [[*group[turn % len(group) :], *group[: turn % len(group)]] for group in groups]
        yield [i for group in turned for i in group]
        yield [i for group in turned for i in reversed(group)]


def _of_order(means: Sequence[float], sigmas: Sequence[float], order: Sequence[int]) -> Moments:
    """What an order without ties says."""
    centres, widths = [means[i] for i in order], [sigmas[i] for i in order]
    low = min(c - GRID_SIGMAS * w for c, w in zip(centres, widths, strict=True)) - BELOW
    high = max(c + GRID_SIGMAS * w for c, w in zip(centres, widths, strict=True)) + ABOVE
    nodes, node_weights = _rule()
    strengths = np.array(centres)[:, None] - low + np.array(widths)[:, None] * nodes
    # Gumbel's density at the grid, for every node of every strength, but for a constant factor
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
    """For each place and point of the grid, how probable the order of all others is if the performance of
    that place is there, but for a constant factor."""
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
"""The scale of the model's noise, in points."""
BEGINNER = 1000.0
"""The rating of the scripted beginner, where the ladder of the bots begins."""
SIGMAS = 1.959964
"""Of a normal distribution, to either side of its mean: 95 % of it lie within."""
LOWEST, HIGHEST = 0.0, 4500.0
"""No mean is outside; the strongest level has 3358."""
NARROWEST = 20.0
"""No sigma is smaller: nobody plays equally well for ever."""
WIDENING = 25.0
"""By how much the variance grows each day without a result, in points²: after a year of absence a sigma of 60
is 113."""
PROVISIONAL = 150.0
"""A rating is provisional as long as its interval reaches farther than so many points to either side."""
PLACES = 3
"""Decimals that are kept. Processors differ in the last digits of an exponential; ratings must not."""


@dataclass(frozen=True)
class Rating:
    """A strength as far as it is known: a normal distribution, in points."""

    mean: float
    sigma: float

    @property
    def reach(self) -> float:
        """How far the 95 % interval reaches to either side."""
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
        """Whether the interval is still too wide to mean something."""
        return self.reach > PROVISIONAL

    def after_days(self, days: float) -> "Rating":
        """What is known after so many days without a result, at least what is known of a newcomer."""
        return self.widened(WIDENING * max(days, 0.0))

    def widened(self, variance: float) -> "Rating":
        """The same, less certain by a variance in points²."""
        wide = min(math.sqrt(self.sigma**2 + variance), max(FIRST.sigma, self.sigma))
        return Rating(self.mean, round(wide, PLACES))


FIRST = Rating(1500.0, 400.0)
"""A newcomer's: anything from the weakest level to the ninth."""
ANCHORED = 60.0
"""The sigma of a bot's level on the board on which its ladder was played, from the ladder's intervals."""
ANCHORED_ELSEWHERE = 150.0
"""The same on other boards, where levels were not measured."""


def anchor(elo: float, *, is_measured: bool = True) -> Rating:
    """The rating of a bot that is so many points above the beginner. It never changes: it holds the scale."""
    return Rating(BEGINNER + elo, ANCHORED if is_measured else ANCHORED_ELSEWHERE)


def rate(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a game of two or more, whose places are given; a lower place is better.

    Raises ValueError for fewer than two, or unless everybody has a place.
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
    """The probability that one comes before another, with what is not known of both counted in.

    The logistic curve is averaged over a normal distribution as MacKay (1992) does it.
    """
    doubt = math.pi / 8 * (one.sigma**2 + other.sigma**2)
    return 1 / (1 + math.exp((other.mean - one.mean) / math.sqrt(POINTS**2 + doubt)))


def expected_place(ratings: Sequence[Rating], seat: int) -> float:
    """The place that a seat takes in the mean of many such games."""
    return 1 + sum(chance(other, ratings[seat]) for i, other in enumerate(ratings) if i != seat)
