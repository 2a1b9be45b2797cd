"""A straight line through estimates, and what it lets expect beyond them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.study.report.estimates import LEVEL, Estimate, student

FEWEST_POINTS = 4
BEYOND = 400
"""Elo points beyond the strongest players up to which a trend is followed."""
MANY = 10**9
"""Degrees of freedom with which Student's distribution is the normal one."""


@dataclass(frozen=True)
class Trend:
    """A line fitted by weighted least squares, with the covariance of its two coefficients.

    Where estimates scatter more round the line than their errors let expect, the errors are taken to be
    larger by that factor (the Birge ratio): a line that doesn't fit has a wide band.
    """

    intercept: float
    slope: float
    covariance: np.ndarray
    quantile: float
    """So many standard errors to either side are the 95 % band: the normal ones while estimates scatter as
    their errors say, Student's where the scatter itself is estimated."""
    lowest: float
    highest: float
    """Between these lie the estimates."""
    games: int
    """How many are behind the estimates."""
    blocks: int

    def at(self, x: float) -> Estimate:
        """What the line lets expect, with the 95% band of the line itself."""
        place = np.array([1.0, x])
        error = math.sqrt(float(place @ self.covariance @ place))
        return self._estimate(self.intercept + self.slope * x, error)

    @property
    def slope_estimate(self) -> Estimate:
        """How much an estimate changes for each unit of x."""
        return self._estimate(self.slope, math.sqrt(float(self.covariance[1, 1])))

    def _estimate(self, value: float, error: float) -> Estimate:
        """With an error so large that the normal quantile gives the same band: tests then know of few
        levels too."""
        half = self.quantile * error
        wide = half / student(LEVEL, MANY)
        return Estimate(value, value - half, value + half, self.games, self.blocks, wide)


def fitted(xs: Sequence[float], estimates: Sequence[Estimate]) -> Trend | None:
    """The trend; None from fewer than `FEWEST_POINTS` estimates with an error."""
    pairs = [(x, one) for x, one in zip(xs, estimates, strict=True) if one.error > 0]
    if len({x for x, _ in pairs}) < FEWEST_POINTS:
        return None
    design = np.array([[1.0, x] for x, _ in pairs])
    values = np.array([one.value for _, one in pairs])
    weights = np.array([one.error for _, one in pairs]) ** -2.0
    covariance = np.linalg.inv(design.T @ (weights[:, None] * design))
    intercept, slope = (covariance @ (design.T @ (weights * values))).tolist()
    freedom = len(pairs) - 2
    scatter = float((weights * (values - intercept - slope * design[:, 1]) ** 2).sum()) / freedom
    return Trend(
        intercept,
        slope,
        covariance * max(1.0, scatter),
        student(LEVEL, freedom if scatter > 1 else MANY),
        min(x for x, _ in pairs),
        max(x for x, _ in pairs),
        sum(one.games for _, one in pairs),
        sum(one.blocks for _, one in pairs),
    )
