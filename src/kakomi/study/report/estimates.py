"""Estimates with 95% intervals, from games in independent blocks.

Every interval rests on the differences between blocks. A share gets Wilson's interval for the number of
independent games that would vary as much (`kakomi.contest.estimate.estimated`); a mean gets Student's, with
the variance of a ratio of sums over blocks (W. G. Cochran, "Sampling techniques", 1977, section 6.3); a
quantile gets the one that follows from the share of values below it (R. S. Woodruff, "Confidence intervals
for medians and other position measures", 1952)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist, fmean
from typing import NamedTuple

import numpy as np

from kakomi.contest.estimate import estimated

LEVEL = 0.95
_NOTHING = 1e-12
"""Smaller relative errors are due to rounding."""
FEWEST_BLOCKS = 3
"""Fewer blocks don't give an interval."""


@dataclass(frozen=True)
class Estimate:
    """A number, its 95% interval, and the games behind it. With too few blocks, or if nothing varies, both
    ends of the interval are NaN."""

    value: float
    low: float
    high: float
    games: int
    blocks: int
    error: float = math.nan
    """The standard error; NaN without one."""

    @property
    def has_interval(self) -> bool:
        return not math.isnan(self.low)

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    def scaled(self, factor: float) -> "Estimate":
        """The estimate in other units."""
        low, high = sorted((self.low * factor, self.high * factor))
        return Estimate(self.value * factor, low, high, self.games, self.blocks, abs(factor) * self.error)


def clipped(estimate: Estimate) -> Estimate:
    """A share clipped to 0 to 1, which a fitted line may leave."""
    value, low, high = (min(1.0, max(0.0, end)) for end in (estimate.value, estimate.low, estimate.high))
    return replace(estimate, value=value, low=low, high=high)


Values = Iterable[tuple[str, float, float]]
"""For each game: its block, a sum, and the weight that the sum is over (1 for a value of the whole game)."""


def mean(values: Values, *, level: float = LEVEL) -> Estimate | None:
    """The ratio of sums to weights, as in actions per game or options per action; None without any.

    Gives Student's interval with one degree of freedom less than blocks; no interval if all blocks are
    equal, which says nothing about the next one.
    """
    sums, weights, games = _by_block(values)
    if not games or not weights.sum():
        return None
    ratio = float(sums.sum() / weights.sum())
    blocks = len(sums)
    if blocks < FEWEST_BLOCKS:
        return Estimate(ratio, math.nan, math.nan, games, blocks)
    residuals = sums - ratio * weights
    spread = float((residuals**2).sum()) * blocks / (blocks - 1)
    error = math.sqrt(spread) / float(weights.sum())
    if error <= _NOTHING * abs(ratio):
        return Estimate(ratio, math.nan, math.nan, games, blocks, 0.0)
    half = student(level, blocks - 1) * error
    return Estimate(ratio, ratio - half, ratio + half, games, blocks, error)


def share(values: Values) -> Estimate | None:
    """The mean of values between 0 and 1, such as a seat's share of the win; None without any.

    Gives Wilson's interval, from the differences between the blocks' means.
    """
    blocks: dict[str, list[float]] = {}
    for block, value, _ in values:
        blocks.setdefault(block, []).append(value)
    if not blocks:
        return None
    means = [fmean(each) for each in blocks.values()]
    size = round(fmean(len(each) for each in blocks.values()))
    found = estimated(means, size)
    assert found
    games = sum(map(len, blocks.values()))
    error = (found.high - found.low) / (2 * student(LEVEL, 10**9))
    return Estimate(found.score, found.low, found.high, games, found.blocks, error)


def quantile(values: Values, part: float = 0.5) -> Estimate | None:
    """The value that a fraction `part` of the games don't exceed; None without any.

    Gives Woodruff's interval: the quantiles at the ends of the interval of that fraction.
    """
    listed = list(values)
    if not listed:
        return None
    ordered = np.sort([value for _, value, _ in listed])
    value = float(ordered[max(0, math.ceil(part * len(ordered)) - 1)])
    below = mean(((block, float(one <= value), 1.0) for block, one, _ in listed))
    assert below
    if below.blocks < FEWEST_BLOCKS or ordered[0] == ordered[-1]:
        return Estimate(value, math.nan, math.nan, below.games, below.blocks)
    error = below.error or math.sqrt(part * (1 - part) / below.blocks)
    half = student(LEVEL, below.blocks - 1) * error * len(ordered)
    first = math.floor(part * len(ordered) - half)
    last = math.ceil(part * len(ordered) + half)
    low, high = (float(ordered[min(len(ordered) - 1, max(0, place))]) for place in (first - 1, last))
    return Estimate(value, low, high, below.games, below.blocks)


def difference(one: Estimate, other: Estimate) -> Estimate:
    """`one` less `other`, for estimates from different games (normal approximation)."""
    error = math.hypot(one.error, other.error)
    value, half = one.value - other.value, student(LEVEL, 10**9) * error
    games, blocks = one.games + other.games, one.blocks + other.blocks
    return Estimate(value, value - half, value + half, games, blocks, error)


def p_value(estimate: Estimate, truth: float) -> float:
    """The two-sided p-value of an estimate under a hypothetical true value (normal approximation)."""
    if not estimate.error or math.isnan(estimate.error):
        return 1.0
    return 2 * NormalDist().cdf(-abs(estimate.value - truth) / estimate.error)


def student(level: float, freedom: float) -> float:
    """The t for which a fraction `level` of Student's distribution lies within ± t.

    Uses Cornish and Fisher's expansion of the normal quantile (M. Abramowitz and I. Stegun, "Handbook of
    mathematical functions", 1964, 26.7.5), accurate to a hundredth from 4 degrees of freedom on.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    if freedom < 2:
        return math.tan(math.pi * level / 2)
    if freedom < 3:
        return level * math.sqrt(2 / (1 - level**2))
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, 1))


def _by_block(values: Values) -> tuple[np.ndarray, np.ndarray, int]:
    """The sum and weight of each block, and the number of games."""
    totals: dict[str, list[float]] = {}
    games = 0
    for block, value, weight in values:
        total = totals.setdefault(block, [0.0, 0.0])
        total[0] += value
        total[1] += weight
        games += 1
    together = np.array(list(totals.values())).reshape(-1, 2)
    return together[:, 0], together[:, 1], games


def holm(chances: Sequence[float]) -> list[float]:
    """p-values corrected for multiple testing (S. Holm, "A simple sequentially rejective multiple test
    procedure", 1979): if all below 0.05 count as real, at most 5 % of reports contain a false one."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    corrected, largest = [1.0] * len(chances), 0.0
    for place, number in enumerate(order):
        largest = max(largest, min(1.0, (len(chances) - place) * chances[number]))
        corrected[number] = largest
    return corrected


def tail(count: int, of: int, share: float) -> float:
    """The probability of at least `count` successes: a sum over the binomial distribution's largest terms."""
    if count <= 0 or share >= 1:
        return 1.0
    if share <= 0:
        return 0.0
    if count <= of * share:  # about half or more: use the complement, whose terms fall from the first on
        return 1.0 - tail(of - count + 1, of, 1 - share)
    ways = math.lgamma(of + 1) - math.lgamma(count + 1) - math.lgamma(of - count + 1)
    term = math.exp(ways + count * math.log(share) + (of - count) * math.log1p(-share))
    total, odds = term, share / (1 - share)
    for k in range(count, of):
        term *= (of - k) / (k + 1) * odds
        total += term
        if term < total * 1e-17:
            break
    return min(1.0, total)


def both_tails(count: int, of: int, share: float) -> float:
    """The two-sided p-value of a count of successes of probability `share`: twice the smaller tail."""
    return min(1.0, 2 * min(tail(count, of, share), tail(of - count, of, 1 - share)))


FEWEST_POINTS = 4
BEYOND = 400
"""How many Elo points beyond the strongest players to extrapolate a trend."""
MANY = 10**9
"""Degrees of freedom that make Student's distribution practically normal."""


class Fit(NamedTuple):
    """A weighted least squares fit. If values scatter more than their errors predict, the errors are scaled
    up accordingly (the Birge ratio), so that a bad fit has a wide band."""

    coefficients: np.ndarray
    covariance: np.ndarray
    quantile: float
    """The half-width of the 95 % band in standard errors: the normal quantile if values scatter no more than
    their errors predict, otherwise Student's, since the scatter itself is estimated."""
    scatter: float
    """Chi-squared per degree of freedom: 1 if values scatter as their errors predict."""
    freedom: int


def weighted_fit(design: np.ndarray, values: np.ndarray, errors: np.ndarray) -> Fit:
    """Fit the coefficients of a design's columns, of which there must be fewer than values."""
    weights = errors**-2.0
    covariance = np.linalg.inv(design.T @ (weights[:, None] * design))
    coefficients = covariance @ (design.T @ (weights * values))
    freedom = len(values) - design.shape[1]
    scatter = float((weights * (values - design @ coefficients) ** 2).sum()) / freedom
    quantile = student(LEVEL, freedom if scatter > 1 else MANY)
    return Fit(coefficients, covariance * max(1.0, scatter), quantile, scatter, freedom)


@dataclass(frozen=True)
class Trend:
    """A line fitted to estimates."""

    fit: Fit
    lowest: float
    highest: float
    """The range of x of the estimates."""
    games: int
    """The number of games behind the estimates."""
    blocks: int

    def at(self, x: float) -> Estimate:
        """The line's value at x, with the 95% band of the line itself."""
        place = np.array([1.0, x])
        error = math.sqrt(float(place @ self.fit.covariance @ place))
        return self._estimate(float(place @ self.fit.coefficients), error)

    @property
    def slope_estimate(self) -> Estimate:
        """The change per unit of x."""
        return self._estimate(float(self.fit.coefficients[1]), math.sqrt(float(self.fit.covariance[1, 1])))

    def _estimate(self, value: float, error: float) -> Estimate:
        """An estimate whose error gives the same band with the normal quantile, so that tests based on the
        error also allow for few points."""
        half = self.fit.quantile * error
        wide = half / student(LEVEL, MANY)
        return Estimate(value, value - half, value + half, self.games, self.blocks, wide)


def fitted(xs: Sequence[float], estimates: Sequence[Estimate]) -> Trend | None:
    """The trend of estimates over xs; None with an error at fewer than `FEWEST_POINTS` different xs."""
    pairs = [(x, one) for x, one in zip(xs, estimates, strict=True) if one.error > 0]
    if len({x for x, _ in pairs}) < FEWEST_POINTS:
        return None
    design = np.array([[1.0, x] for x, _ in pairs])
    values, errors = (np.array([getattr(one, name) for _, one in pairs]) for name in ("value", "error"))
    return Trend(
        weighted_fit(design, values, errors),
        min(x for x, _ in pairs),
        max(x for x, _ in pairs),
        sum(one.games for _, one in pairs),
        sum(one.blocks for _, one in pairs),
    )
