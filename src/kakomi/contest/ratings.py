"""Ratings: what is known of somebody's strength, and what a result adds to it.

The scale is that of the bots' ladder (docs/levels.md), moved up: the scripted beginner has 1000 points in
every game. It is Elo's: 400 points more are odds of 10 to 1 against one opponent, however many others play.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.contest.order_model import posterior

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
