"""A straight line through estimates, and what it lets expect beyond them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kakomi.study.report.estimates import LEVEL, Estimate, student

FEWEST_POINTS = 4
BEYOND = 400
"""Elo points beyond the strongest players up to which a trend is followed."""
MANY = 10**9
"""Degrees of freedom with which Student's distribution is the normal one."""


class Fit(NamedTuple):
    """Weighted least squares. Where values scatter more than their errors let expect, the errors are taken to
    be larger by that factor (the Birge ratio): what doesn't fit has a wide band."""

    coefficients: np.ndarray
    covariance: np.ndarray
    quantile: float
    """So many standard errors to either side are the 95 % band: the normal ones while values scatter as their
    errors say, Student's where the scatter itself is estimated."""
    scatter: float
    """The mean square of the values' distances in their errors, 1 if all is as expected."""
    freedom: int


def weighted_fit(design: np.ndarray, values: np.ndarray, errors: np.ndarray) -> Fit:
    """The coefficients of a design's columns; there are fewer than values."""
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
    """Between these lie the estimates."""
    games: int
    """How many are behind the estimates."""
    blocks: int

    def at(self, x: float) -> Estimate:
        """What the line lets expect, with the 95% band of the line itself."""
        place = np.array([1.0, x])
        error = math.sqrt(float(place @ self.fit.covariance @ place))
        return self._estimate(float(place @ self.fit.coefficients), error)

    @property
    def slope_estimate(self) -> Estimate:
        """How much an estimate changes for each unit of x."""
        return self._estimate(float(self.fit.coefficients[1]), math.sqrt(float(self.fit.covariance[1, 1])))

    def _estimate(self, value: float, error: float) -> Estimate:
        """With an error so large that the normal quantile gives the same band: tests then know of few
        levels too."""
        half = self.fit.quantile * error
        wide = half / student(LEVEL, MANY)
        return Estimate(value, value - half, value + half, self.games, self.blocks, wide)


def fitted(xs: Sequence[float], estimates: Sequence[Estimate]) -> Trend | None:
    """The trend; None from fewer than `FEWEST_POINTS` estimates with an error."""
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
